/**
 * Packet: the rules and fees that a guest acknowledges (specification, "Packet"; design "Packet").
 */

import { z } from 'zod';
import { GUEST_TEXT_SHORT_CODE_HELP } from '@/shared/guest-text/short-codes';
import { listReadOnlyFields } from '@/shared/read-only';
import { SCHEMA_PROBLEMS } from '@/shared/refusals/schema-problems';
import {
  createInvalidValueMessage,
  defineDeletionResponse,
  defineListEnvelope,
  defineRequestInput,
  idField,
  objectTypeField,
  optionalTextField,
  requiredTextField,
  timestampField,
  urlPathIdField,
} from '@/shared/schemas';
import { FEE_TYPES } from './rules/fee-classes';

export const ARRIVAL_DETAIL_GROUPS = ['wifi', 'door_code', 'checkin_notes', 'parking_notes'] as const;
export type ArrivalDetailGroup = (typeof ARRIVAL_DETAIL_GROUPS)[number];

const itemId = requiredTextField(80);

export const HouseRuleInput = z.strictObject({
  id: itemId.optional().meta({ description: 'Kept when given, generated when absent.' }),
  text: requiredTextField(500).meta({
    description: `The rule. ${GUEST_TEXT_SHORT_CODE_HELP}`,
    example: 'No smoking indoors.',
  }),
  category: optionalTextField(80).optional().meta({ description: 'A heading to group rules under.', example: 'House' }),
});
/** The currencies are listed in shared/money/minor-units.ts. */
const AMOUNT =
  'The amount in the smallest unit of the packet’s currency: cents in most currencies, whole units in currencies written without decimals (JPY, KRW, CLP, VND, and also HUF, IDR, COP, PKR), thousandths in BHD, JOD, KWD, LYD, OMR and TND.';
export const PacketFeeInput = z.strictObject({
  id: itemId.optional().meta({ description: 'Kept when given, generated when absent.' }),
  label: requiredTextField(120).meta({
    description: `What the fee is for. ${GUEST_TEXT_SHORT_CODE_HELP}`,
    example: 'Late check-out',
  }),
  amount_cents: z
    .int({ error: createInvalidValueMessage('must be a whole number of cents') })
    .min(0, 'must not be negative')
    .max(2_000_000_000)
    .meta({ description: AMOUNT, example: 5000 }),
  unit: optionalTextField(40)
    .optional()
    .meta({ description: 'The unit that the amount applies to.', example: 'per hour' }),
  description: optionalTextField(500)
    .optional()
    .meta({ description: `When it is due. ${GUEST_TEXT_SHORT_CODE_HELP}`, example: 'After 11:00 without agreement.' }),
  type: z
    .enum(FEE_TYPES)
    .nullable()
    .optional()
    .meta({ description: 'Derived from label and description when absent.', example: 'conditional_late_checkout' }),
});

const detailText = optionalTextField(2_000).meta({
  description: `The text of this group. Null when there is none. ${GUEST_TEXT_SHORT_CODE_HELP}`,
});
const ArrivalDetailsInput = z.strictObject({
  wifi: z
    .strictObject({
      network: optionalTextField(120).optional().meta({ description: 'The network’s name.' }),
      password: optionalTextField(120).optional().meta({ description: 'The network’s password.' }),
    })
    .nullable()
    .optional()
    .meta({ description: 'The wifi network. Null when none is given.' }),
  door_code: detailText.optional(),
  checkin_notes: detailText.optional(),
  parking_notes: detailText.optional(),
});
const releaseValue = z.enum(['before_signing', 'after_signing', 'manual']).meta({
  description: 'When the guest sees this group: always, once signed, or when a host releases it.',
});
const ArrivalReleaseInput = z.strictObject({
  wifi: releaseValue.optional(),
  door_code: releaseValue.optional(),
  checkin_notes: releaseValue.optional(),
  parking_notes: releaseValue.optional(),
});

/** Arrays are replaced as a whole. In a PATCH, maps are merged by key. */
const content = {
  name: requiredTextField(120).meta({ description: 'The display name of the variant.', example: 'Summer rules' }),
  welcome_message: optionalTextField(5_000).meta({
    description: `What the guest reads first. ${GUEST_TEXT_SHORT_CODE_HELP}`,
  }),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, SCHEMA_PROBLEMS.wrong_currency)
    .meta({ description: 'ISO 4217 currency of the fees.', example: 'EUR' }),
  rules: z.array(HouseRuleInput).max(200, 'must hold at most 200 rules').meta({
    description: 'Replaces the whole list. To append an item, read the list, add the item and send the whole list.',
  }),
  fees: z.array(PacketFeeInput).max(100, 'must hold at most 100 fees').meta({
    description: 'Replaces the whole list. To append an item, read the list, add the item and send the whole list.',
  }),
  safety_notes: optionalTextField(2_000).meta({
    description: `Always visible to the guest, also before signing. ${GUEST_TEXT_SHORT_CODE_HELP}`,
  }),
  arrival_details: ArrivalDetailsInput.meta({ description: 'The content of the arrival groups.' }),
  arrival_release: ArrivalReleaseInput.meta({ description: 'When each group becomes visible.' }),
};

export const PacketContent = z.strictObject(content).partial();
export type PacketContent = z.infer<typeof PacketContent>;

const Rule = z
  .object({
    id: z.string().meta({ description: 'The rule’s id. It does not change when the rule is edited.' }),
    text: z.string().max(500).meta({ description: 'The rule as the guest reads it.' }),
    category: z.string().nullable().meta({ description: 'The heading above the rule.' }),
  })
  .meta({ id: 'PacketRule', description: 'A house rule.' });
const Fee = z
  .object({
    id: z.string().meta({ description: 'The fee’s id. It does not change when the fee is edited.' }),
    label: z.string().max(120).meta({ description: 'What the fee is for.' }),
    amount_cents: z.int().min(0).meta({ description: AMOUNT }),
    unit: z
      .string()
      .nullable()
      .meta({ description: 'The unit that the amount applies to, for example a night or an hour.' }),
    description: z.string().max(500).nullable().meta({ description: 'When the fee is due.' }),
    type: z.string().nullable().meta({ description: 'The fee’s type. It begins with `mandatory_` or `conditional_`.' }),
  })
  .meta({ id: 'PacketFee', description: 'A fee that the guest acknowledges.' });
const ArrivalDetails = z
  .object({
    wifi: z
      .object({
        network: z.string().nullable().meta({ description: 'The network’s name.' }),
        password: z.string().nullable().meta({ description: 'The network’s password.' }),
      })
      .nullable()
      .meta({ description: 'The wifi network. Null when none is given.' }),
    door_code: z.string().nullable().meta({ description: 'How to get in.' }),
    checkin_notes: z.string().nullable().meta({ description: 'What to know on arrival.' }),
    parking_notes: z.string().nullable().meta({ description: 'Where to park.' }),
  })
  .meta({
    id: 'PacketArrivalDetails',
    description: 'The content of the arrival groups. Null for a group without content.',
  });
const ArrivalRelease = z
  .object({ wifi: releaseValue, door_code: releaseValue, checkin_notes: releaseValue, parking_notes: releaseValue })
  .meta({ id: 'PacketArrivalRelease', description: 'When the guest sees each arrival group.' });

export const Packet = z
  .object({
    id: idField('packet', 'The packet’s id.'),
    object: objectTypeField('packet'),
    property_id: idField('property', 'The property it belongs to.'),
    name: z.string().meta({ description: 'The display name of the variant.' }),
    is_default: z.boolean().meta({ description: 'Whether reservations without a variant of their own get this one.' }),
    status: z.enum(['active', 'archived']).meta({ description: 'Archived packets are kept, but not sent to guests.' }),
    archived_at: timestampField('When it was archived.').nullable(),
    welcome_message: z.string().nullable().meta({ description: 'What the guest reads first.' }),
    currency: z.string().meta({ description: 'ISO 4217 currency of the fees.' }),
    rules: z.array(Rule).meta({ description: 'The house rules, in the order shown.' }),
    fees: z.array(Fee).meta({ description: 'The fees, in the order shown.' }),
    safety_notes: z
      .string()
      .nullable()
      .meta({ description: 'Always visible to the guest, also before signing and after a cancellation.' }),
    arrival_details: ArrivalDetails,
    arrival_release: ArrivalRelease,
    created_at: timestampField('When it was created.'),
    updated_at: timestampField('When it last changed.'),
  })
  .meta({ id: 'Packet', description: 'The rules, fees and check-in notes a guest acknowledges.' });
export type Packet = z.infer<typeof Packet>;
export type PacketRule = z.infer<typeof Rule>;
export type PacketFee = z.infer<typeof Fee>;
export type PacketArrivalDetails = z.infer<typeof ArrivalDetails>;
export type ReleasePolicyByArrivalDetailGroup = z.infer<typeof ArrivalRelease>;

export const PACKET_READ_ONLY_FIELDS = listReadOnlyFields(Packet, Object.keys(content) as (keyof typeof content)[]);

export const PacketId = z.strictObject({ id: urlPathIdField('packet', 'The packet’s id.') });
export const PropertyIdOfDefaultPacketInput = z.strictObject({ id: urlPathIdField('property', 'The property’s id.') });
export const PacketUpdate = defineRequestInput(
  PacketContent.extend({ id: urlPathIdField('packet', 'The packet’s id.'), ...PACKET_READ_ONLY_FIELDS }),
);
export const DefaultPacketUpdate = defineRequestInput(
  PacketContent.extend({ id: urlPathIdField('property', 'The property’s id.'), ...PACKET_READ_ONLY_FIELDS }),
);
export const PacketCreate = defineRequestInput(
  z.strictObject({
    id: urlPathIdField('property', 'The property’s id.'),
    object: objectTypeField('packet').optional(),
    name: content.name,
    copy_from: z.string().optional().meta({ description: 'The id of a packet to copy the content from.' }),
  }),
);

export const PacketList = defineListEnvelope(Packet, 'PacketList');
export const PacketDeleted = defineDeletionResponse('packet', 'PacketDeleted');
