/**
 * Edits several packets, each in its own transaction. Skips packets that have changed since the
 * host saw them.
 */
import { logger } from '@/infra/logger';
import { AppError, isAppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import { createRefusal, type ResultWithUntranslatedRefusals } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import type { PacketEditResult, PacketVersionRef } from './host.schemas';
import { editPacketContent, isSamePacketContent, type PacketContent, type PacketContentInput } from './rules/content';
import { convertPacketRowToContent } from './serializer';
import { retrievePacket, updatePacket } from './service';

export type PacketEditOutcome = ResultWithUntranslatedRefusals<PacketEditResult>['rows'][number];

/**
 * Edits a packet unless it has changed since the host saw it. Never throws. The outcome contains
 * any error.
 */
export async function editPacketIfUnchanged(
  scope: Scope,
  { packet_id, etag }: PacketVersionRef,
  edit: (stored: PacketContent) => PacketContentInput,
): Promise<PacketEditOutcome> {
  try {
    const stored = convertPacketRowToContent(await retrievePacket(scope, packet_id));
    const edited = edit(stored);
    if (isSamePacketContent(editPacketContent(stored, edited, newId), stored))
      return { packet_id, outcome: 'nothing', message: createRefusal('says_the_same') };
    await updatePacket(scope, packet_id, edited as never, { if_match: etag });
    return { packet_id, outcome: 'done', message: null };
  } catch (error) {
    if (!isAppError(error)) logger().error({ err: error, packet: packet_id }, 'one of several packets was not edited');
    const { code, refusal: why, message } = isAppError(error) ? error : new AppError('internal_error');
    const changed = code === 'etag_mismatch' || code === 'concurrent_edit';
    return { packet_id, outcome: 'refused', message: changed ? createRefusal('changed_meanwhile') : (why ?? message) };
  }
}
