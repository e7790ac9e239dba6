/** Inputs and outputs for changing one fee or rule in several packets of a team. */
import { z } from 'zod';
import { PacketVersionRef } from '../host.schemas';
import { HouseRuleInput, Packet, PacketContent, PacketFeeInput } from '../schemas';
import { MAX_PACKETS_PER_ITEM_CHANGE, PACKET_ITEM_KINDS } from './item.rules';

const kind = z.enum(PACKET_ITEM_KINDS);
const key = z.string().min(1).max(600);

export const PacketItemList = z.object({
  /** The items, most frequent first. */
  data: z.array(z.object({ kind, key, name: z.string(), packets: z.int() })),
  /** Whether the team has more packets than the search covered. */
  has_more: z.boolean(),
});
export type PacketItemList = z.infer<typeof PacketItemList>;

export const PacketItemQuery = z.strictObject({ kind, key });
export type PacketItemQuery = z.infer<typeof PacketItemQuery>;

export const PacketItemOccurrences = z.object({
  /** Active packets that contain the item, ordered by property and age. */
  data: z.array(
    z.object({
      ...PacketVersionRef.shape,
      packet_name: z.string(),
      is_default: z.boolean(),
      property_id: z.string(),
      property_name: z.string(),
      currency: z.string(),
      /** The fees and rules of the packet that match the item. */
      fees: Packet.shape.fees,
      rules: Packet.shape.rules,
    }),
  ),
  has_more: z.boolean(),
});
export type PacketItemOccurrences = z.infer<typeof PacketItemOccurrences>;

const isSomething = (change: object) => Object.values(change).some((value) => value !== undefined);

export const ChangePacketItemInput = z.strictObject({
  targets: z
    .array(PacketVersionRef.extend({ item_ids: z.array(z.string().max(80)).min(1).max(200) }))
    .min(1)
    .max(MAX_PACKETS_PER_ITEM_CHANGE),
  change: z
    .strictObject({
      fee: PacketFeeInput.pick({ label: true, unit: true, description: true })
        .partial()
        .extend({
          amounts: z.record(PacketContent.shape.currency.unwrap(), PacketFeeInput.shape.amount_cents).optional(),
        })
        .refine(isSomething)
        .optional(),
      rule: HouseRuleInput.pick({ text: true, category: true }).partial().refine(isSomething).optional(),
    })
    .refine(isSomething),
});
export type ChangePacketItemInput = z.infer<typeof ChangePacketItemInput>;
