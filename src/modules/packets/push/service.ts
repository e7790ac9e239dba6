/** Gives parts of one packet to the default packets of other properties: shown beforehand, and each written or refused by itself. */

import type { Packet as PacketRow } from '@/generated/prisma/client';
import { logger } from '@/infra/logger';
import { AppError, isAppError } from '@/shared/errors';
import { assertEtag } from '@/shared/etag';
import { newId } from '@/shared/ids';
import { refusal, type Untranslated } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { withEtag } from '../host.service';
import * as repository from '../repository';
import { contentEquals, editContent } from '../rules/content';
import { contentOf, serializePacket } from '../serializer';
import { retrievePacket, updatePacket } from '../service';
import { type PushedPart, pushedParts } from './parts.rules';
import type { PushInput, PushPreview, PushResult } from './push.schemas';

const afterPush = (from: PacketRow, to: PacketRow, parts: readonly PushedPart[]) => {
  const stored = contentOf(to);
  return editContent(stored, pushedParts(contentOf(from), stored, parts), newId);
};

/** What each property's default packet says, and what it would say. Throws resource_missing. */
export async function previewPush(
  scope: Scope,
  id: string,
  parts: readonly PushedPart[],
  property_ids: readonly string[],
): Promise<PushPreview> {
  const from = await retrievePacket(scope, id);
  const found = await repository.findDefaultPackets(scope, [...new Set(property_ids)]);
  const targets = [...new Set(property_ids)].map((property_id) => {
    const to = found.get(property_id);
    if (!to || to.id === id) return { property_id, target: null };
    const { etag } = withEtag(serializePacket(to));
    const [before, after] = [contentOf(to), afterPush(from, to, parts)];
    const { name } = to;
    return { property_id, target: { packet_id: to.id, etag, before: { name, ...before }, after: { name, ...after } } };
  });
  return { etag: withEtag(serializePacket(from)).etag, targets };
}

/** Throws resource_missing, and etag_mismatch when the packet says something else than was shown. */
export async function push(scope: Scope, { id, etag, parts, targets }: PushInput): Promise<Untranslated<PushResult>> {
  const from = await retrievePacket(scope, id);
  assertEtag(etag, serializePacket(from));
  const rows: Untranslated<PushResult>['rows'] = [];
  for (const target of targets) rows.push({ packet_id: target.packet_id, ...(await give(scope, from, target, parts)) });
  return { rows };
}

async function give(
  scope: Scope,
  from: PacketRow,
  { packet_id, etag }: PushInput['targets'][number],
  parts: readonly PushedPart[],
): Promise<Omit<Untranslated<PushResult>['rows'][number], 'packet_id'>> {
  try {
    const to = await retrievePacket(scope, packet_id);
    const after = afterPush(from, to, parts);
    // Also when the call arrives a second time.
    if (contentEquals(after, contentOf(to))) return { outcome: 'nothing', message: refusal('says_the_same') };
    const { rules, fees, currency, welcome_message, safety_notes } = after;
    await updatePacket(scope, packet_id, { rules, fees, currency, welcome_message, safety_notes } as never, {
      if_match: etag,
    });
    return { outcome: 'done', message: null };
  } catch (error) {
    if (!isAppError(error)) logger().error({ err: error, packet: packet_id }, 'a packet could not be given on');
    const told = isAppError(error) ? error : new AppError('internal_error');
    const changed = told.code === 'etag_mismatch' || told.code === 'concurrent_edit';
    return { outcome: 'refused', message: changed ? refusal('changed_meanwhile') : (told.refusal ?? told.message) };
  }
}
