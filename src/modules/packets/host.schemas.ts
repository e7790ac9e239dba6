/** What the dashboard sends and sees of packets beyond the public resource. */
import { z } from 'zod';
import { compiled, request } from '@/shared/schemas';
import { PACKET_ACTIONS } from './rules/lifecycle';
import { Packet, PacketList, PacketUpdate } from './schemas';

/** What a save must name, so that it overwrites nobody's. */
const etag = z.string();

const ActionAnswer = z.union([
  z.object({ allowed: z.literal(true) }),
  z.object({ allowed: z.literal(false), code: z.string().nullable() }),
]);

/** A packet with what may be done with it now. */
export const HostPacket = Packet.extend({
  etag,
  actions: z.record(z.enum(PACKET_ACTIONS), ActionAnswer),
});
export type HostPacket = z.infer<typeof HostPacket>;

export const HostPacketList = compiled(
  PacketList.extend({
    data: z.array(HostPacket),
    /** Active packets that the plan allows for a property; null on a plan without packets of its own. */
    limit: z.int(),
  }),
);

/** The etag travels in the input: a header would belong to every call of the batch it happens to be sent in. Null overwrites. */
export const HostPacketUpdate = request(PacketUpdate.extend({ etag: etag.nullable().optional() }));
export const SavedPacket = Packet.extend({ etag });

/** The last changes, newest first. */
export const PacketRevisions = z.array(
  z.object({
    id: z.string(),
    /** When the change was made that replaced this content, and by whom. */
    changed_at: z.iso.datetime(),
    changed_by: z.string().nullable(),
    /** What the packet said before that change. */
    before: Packet.pick({
      name: true,
      welcome_message: true,
      currency: true,
      rules: true,
      fees: true,
      safety_notes: true,
      arrival_details: true,
      arrival_release: true,
    }),
  }),
);
export type PacketRevision = z.infer<typeof PacketRevisions>[number];
