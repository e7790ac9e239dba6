/** Copies parts of a packet to other packets. Each target is written or refused separately. */
import type { Packet as PacketRow } from '@/generated/prisma/client';
import { assertEtagMatches } from '@/shared/etag';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import { editPacketIfUnchanged, type PacketEditOutcome } from '../edit-if-unchanged';
import { addEtagToPacket } from '../host.service';
import * as repository from '../repository';
import { editPacketContent } from '../rules/content';
import { convertPacketRowToContent, serializePacket } from '../serializer';
import { retrievePacket } from '../service';
import { buildPacketEditThatCopiesParts, type CopyablePacketPart, MAX_COPY_TARGET_PACKETS } from './parts.rules';
import type { CopyPacketPartsInput, CopyPacketPartsPreview } from './push.schemas';

const afterPush = (from: PacketRow, to: PacketRow, parts: readonly CopyablePacketPart[]) => {
  const stored = convertPacketRowToContent(to);
  return editPacketContent(
    stored,
    buildPacketEditThatCopiesParts(convertPacketRowToContent(from), stored, parts),
    newId,
  );
};

/**
 * Returns the properties' active packets as they are, and as they would be after the push. Throws
 * resource_missing.
 */
export async function previewPacketPartsCopy(
  scope: Scope,
  id: string,
  parts: readonly CopyablePacketPart[],
  property_ids: readonly string[],
): Promise<CopyPacketPartsPreview> {
  const from = await retrievePacket(scope, id);
  const found = await repository.listActivePacketsForProperties(scope, property_ids, MAX_COPY_TARGET_PACKETS + 1);
  const others = found.filter((to) => to.id !== id).slice(0, MAX_COPY_TARGET_PACKETS);
  const targets = others.map((to) => ({
    property_id: to.property_id,
    packet_id: to.id,
    is_default: to.is_default,
    etag: addEtagToPacket(serializePacket(to)).etag,
    before: { name: to.name, ...convertPacketRowToContent(to) },
    after: { name: to.name, ...afterPush(from, to, parts) },
  }));
  return { etag: addEtagToPacket(serializePacket(from)).etag, targets };
}

/**
 * Copies the parts to each target packet. Throws resource_missing, and etag_mismatch when the
 * source packet has changed since the preview.
 */
export async function copyPacketParts(
  scope: Scope,
  { id, etag, parts, targets }: CopyPacketPartsInput,
): Promise<{ rows: PacketEditOutcome[] }> {
  const from = await retrievePacket(scope, id);
  assertEtagMatches(etag, serializePacket(from));
  const rows: PacketEditOutcome[] = [];
  for (const target of targets)
    rows.push(
      await editPacketIfUnchanged(scope, target, (stored) =>
        buildPacketEditThatCopiesParts(convertPacketRowToContent(from), stored, parts),
      ),
    );
  return { rows };
}
