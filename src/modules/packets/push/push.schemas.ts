/** Inputs and outputs for copying parts of a packet to other packets of the team. */
import { z } from 'zod';
import { NamedContent, SeenPacket } from '../host.schemas';
import { COPYABLE_PACKET_PARTS, MAX_PUSH_PACKETS, MAX_PUSH_PROPERTIES } from './parts.rules';

const parts = z.array(z.enum(COPYABLE_PACKET_PARTS)).min(1).max(COPYABLE_PACKET_PARTS.length);
const id = z.string().max(100);

export const PushPreviewInput = z.strictObject({
  id,
  parts,
  property_ids: z.array(id).min(1).max(MAX_PUSH_PROPERTIES),
});

export const PushPreview = z.object({
  /** The etag of the source packet. */
  etag: z.string(),
  /** The properties' active packets. Each property's default packet comes first. */
  targets: z.array(
    z.object({
      ...SeenPacket.shape,
      property_id: id,
      is_default: z.boolean(),
      before: NamedContent,
      after: NamedContent,
    }),
  ),
});
export type PushPreview = z.infer<typeof PushPreview>;

export const PushInput = z.strictObject({
  id,
  /** The etag of the source packet that the host saw. */
  etag: z.string(),
  parts,
  targets: z.array(SeenPacket).min(1).max(MAX_PUSH_PACKETS),
});
export type PushInput = z.infer<typeof PushInput>;
