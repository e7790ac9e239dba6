/** Parts of one packet, given to the default packets of other properties. */
import { z } from 'zod';
import { Packet } from '../schemas';
import { PUSH_MOST, PUSHED_PARTS } from './parts.rules';

const parts = z.array(z.enum(PUSHED_PARTS)).min(1).max(PUSHED_PARTS.length);
const id = z.string().max(100);
const Said = Packet.pick({
  name: true,
  welcome_message: true,
  currency: true,
  rules: true,
  fees: true,
  safety_notes: true,
  arrival_details: true,
  arrival_release: true,
});

export const PushPreviewInput = z.strictObject({ id, parts, property_ids: z.array(id).min(1).max(PUSH_MOST) });

export const PushPreview = z.object({
  /** Of the packet that is given on. */
  etag: z.string(),
  targets: z.array(
    z.object({
      property_id: id,
      /** Null where the property is gone, or has no active packet. */
      target: z.object({ packet_id: id, etag: z.string(), before: Said, after: Said }).nullable(),
    }),
  ),
});
export type PushPreview = z.infer<typeof PushPreview>;

export const PushInput = z.strictObject({
  id,
  /** As it was shown: what is given on is what the host has seen. */
  etag: z.string(),
  parts,
  targets: z
    .array(z.strictObject({ packet_id: id, etag: z.string() }))
    .min(1)
    .max(PUSH_MOST),
});
export type PushInput = z.infer<typeof PushInput>;

export const PushResult = z.object({
  rows: z.array(
    z.object({ packet_id: id, outcome: z.enum(['done', 'nothing', 'refused']), message: z.string().nullable() }),
  ),
});
export type PushResult = z.infer<typeof PushResult>;
