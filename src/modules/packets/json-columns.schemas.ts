/** The JSON columns of packets and their revisions. */
import { z } from 'zod';
import { defineJsonColumn } from '@/shared/json-column';
import type { PacketContent } from './rules/content';
import type { PacketArrivalDetails, PacketFee, PacketRule, ReleasePolicyByArrivalDetailGroup } from './schemas';

const text = z.string().nullable();
const rules = z.array(z.object({ id: z.string(), text: z.string(), category: text }));
const fees = z.array(
  z.object({
    id: z.string(),
    label: z.string(),
    amount_cents: z.number(),
    unit: text,
    description: text,
    type: text,
  }),
);
const arrival_details = z.object({
  wifi: z.object({ network: text, password: text }).nullable().default(null),
  door_code: text.default(null),
  checkin_notes: text.default(null),
  parking_notes: text.default(null),
});
const release = z.enum(['before_signing', 'after_signing', 'manual']).default('before_signing');
const arrival_release = z.object({
  wifi: release,
  door_code: release,
  checkin_notes: release,
  parking_notes: release,
});

export const packetRulesJsonColumn = defineJsonColumn<PacketRule[]>('Packet.rules', rules);
export const packetFeesJsonColumn = defineJsonColumn<PacketFee[]>('Packet.fees', fees);
export const packetArrivalDetailsJsonColumn = defineJsonColumn<PacketArrivalDetails>(
  'Packet.arrival_details',
  arrival_details,
);
export const packetArrivalReleaseJsonColumn = defineJsonColumn<ReleasePolicyByArrivalDetailGroup>(
  'Packet.arrival_release',
  arrival_release,
);

/** A packet's name and content before a change. */
export const revisionContentJsonColumn = defineJsonColumn<PacketContent & { name: string }>(
  'PacketRevision.content',
  z.object({
    name: z.string(),
    welcome_message: text,
    currency: z.string(),
    rules,
    fees,
    safety_notes: text,
    arrival_details,
    arrival_release,
  }),
);
