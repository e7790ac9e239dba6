/** Inputs and outputs of packets for the dashboard beyond the public resource. */
import { z } from 'zod';
import { compileSchema, requestInput } from '@/shared/schemas';
import { PACKET_ACTIONS } from './rules/lifecycle';
import { Packet, PacketList, PacketUpdate } from './schemas';

/** A save includes the etag, so that it does not overwrite another person's change. */
const etag = z.string();

const ActionAnswer = z.union([
  z.object({ allowed: z.literal(true) }),
  z.object({ allowed: z.literal(false), code: z.string().nullable() }),
]);

/** A packet with the actions that are possible now. */
export const HostPacket = Packet.extend({
  etag,
  actions: z.record(z.enum(PACKET_ACTIONS), ActionAnswer),
});
export type HostPacket = z.infer<typeof HostPacket>;

export const HostPacketList = compileSchema(
  PacketList.extend({
    data: z.array(HostPacket),
    /** The number of active packets that the plan allows for a property. */
    limit: z.int(),
  }),
);

/**
 * The etag is in the input, because a header would apply to every call of a batch. Null overwrites
 * any change.
 */
export const HostPacketUpdate = requestInput(PacketUpdate.extend({ etag: etag.nullable().optional() }));
export const SavedPacket = Packet.extend({ etag });

/** A packet in the version that the host saw. An edit is refused if the packet changed since. */
export const SeenPacket = z.strictObject({ packet_id: z.string().max(100), etag });
export type SeenPacket = z.infer<typeof SeenPacket>;

/** The result for each of several edited packets. */
export const EditResult = z.object({
  rows: z.array(
    z.object({
      packet_id: z.string(),
      /** `nothing`: the packet already has this content, for example after a repeated call. */
      outcome: z.enum(['done', 'nothing', 'refused']),
      /** The reason why it was not edited. */
      message: z.string().nullable(),
    }),
  ),
});
export type EditResult = z.infer<typeof EditResult>;

/** The name and content that the history compares and restores. */
export const NamedContent = Packet.pick({
  name: true,
  welcome_message: true,
  currency: true,
  rules: true,
  fees: true,
  safety_notes: true,
  arrival_details: true,
  arrival_release: true,
});

/** The last changes, newest first. */
export const PacketRevisions = z.array(
  z.object({
    id: z.string(),
    /** Time and author of the change that replaced this content. */
    changed_at: z.iso.datetime(),
    changed_by: z.string().nullable(),
    before: NamedContent,
  }),
);
export type PacketRevision = z.infer<typeof PacketRevisions>[number];
