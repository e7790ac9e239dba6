/** Inputs and outputs for copying parts of a packet to other packets of the team. */
import { z } from 'zod';
import { PacketVersionRef, RestorablePacketContent } from '../host.schemas';
import { COPYABLE_PACKET_PARTS, MAX_COPY_TARGET_PACKETS, MAX_COPY_TARGET_PROPERTIES } from './parts.rules';

const parts = z.array(z.enum(COPYABLE_PACKET_PARTS)).min(1).max(COPYABLE_PACKET_PARTS.length);
const id = z.string().max(100);

export const CopyPacketPartsPreviewInput = z.strictObject({
  id,
  parts,
  property_ids: z.array(id).min(1).max(MAX_COPY_TARGET_PROPERTIES),
});

export const CopyPacketPartsPreview = z.object({
  /** The etag of the source packet. */
  etag: z.string(),
  /** The properties' active packets. Each property's default packet comes first. */
  targets: z.array(
    z.object({
      ...PacketVersionRef.shape,
      property_id: id,
      is_default: z.boolean(),
      before: RestorablePacketContent,
      after: RestorablePacketContent,
    }),
  ),
});
export type CopyPacketPartsPreview = z.infer<typeof CopyPacketPartsPreview>;

export const CopyPacketPartsInput = z.strictObject({
  id,
  /** The etag of the source packet that the host saw. */
  etag: z.string(),
  parts,
  targets: z.array(PacketVersionRef).min(1).max(MAX_COPY_TARGET_PACKETS),
});
export type CopyPacketPartsInput = z.infer<typeof CopyPacketPartsInput>;
