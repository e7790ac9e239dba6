/** Inputs and outputs of packets that only the dashboard has. */
import { z } from 'zod';
import { defineRequestInput, makeSchemaParseSynchronously } from '@/shared/schemas';
import { PACKET_ACTIONS } from './rules/lifecycle';
import { Packet, PacketList, PacketUpdate } from './schemas';

/** The version that the user edited. A save with an outdated etag is refused. */
const etag = z.string();

const ActionAnswer = z.union([
  z.object({ allowed: z.literal(true) }),
  z.object({ allowed: z.literal(false), code: z.string().nullable() }),
]);

/** A packet, with the actions that are currently possible. */
export const HostPacket = Packet.extend({
  etag,
  actions: z.record(z.enum(PACKET_ACTIONS), ActionAnswer),
});
export type HostPacket = z.infer<typeof HostPacket>;

export const HostPacketList = makeSchemaParseSynchronously(
  PacketList.extend({
    data: z.array(HostPacket),
    /** The maximum number of active packets per property in the team's plan. */
    limit: z.int(),
  }),
);

/**
 * The etag is part of the input, because one header would apply to all calls of a batch. Null
 * overwrites any concurrent change.
 */
export const HostPacketUpdate = defineRequestInput(PacketUpdate.extend({ etag: etag.nullable().optional() }));
export const PacketWithEtag = Packet.extend({ etag });

/** A packet as the host saw it. An edit is refused if the packet has changed since. */
export const PacketVersionRef = z.strictObject({ packet_id: z.string().max(100), etag });
export type PacketVersionRef = z.infer<typeof PacketVersionRef>;

export const PacketEditResult = z.object({
  rows: z.array(
    z.object({
      packet_id: z.string(),
      /**
       * `nothing`: the edit would not change the packet, for example because it was already
       * applied.
       */
      outcome: z.enum(['done', 'nothing', 'refused']),
      /** Why the packet was not edited. */
      message: z.string().nullable(),
    }),
  ),
});
export type PacketEditResult = z.infer<typeof PacketEditResult>;

/** The fields that the history compares and restores. */
export const RestorablePacketContent = Packet.pick({
  name: true,
  welcome_message: true,
  currency: true,
  rules: true,
  fees: true,
  safety_notes: true,
  arrival_details: true,
  arrival_release: true,
});

/** The latest changes, newest first. */
export const PacketRevisions = z.array(
  z.object({
    id: z.string(),
    /** When and by whom the content in `before` was changed. */
    changed_at: z.iso.datetime(),
    changed_by: z.string().nullable(),
    before: RestorablePacketContent,
  }),
);
export type PacketRevision = z.infer<typeof PacketRevisions>[number];
