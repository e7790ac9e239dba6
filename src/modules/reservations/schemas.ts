/** Reservation: a guest's signing event (specification, "Reservation" and what follows it). */
import { z } from 'zod';
import {
  calendarDate,
  compiled,
  deletedOf,
  EmailAddress,
  endingBefore,
  idOf,
  listLimit,
  listOf,
  nameText,
  pathId,
  refuse,
  request,
  startingAfter,
  timestamp,
} from '@/shared/schemas';

export const RESERVATION_STATUSES = [
  'draft',
  'synced',
  'sent',
  'opened',
  'clicked',
  'signed',
  'expired',
  'ignored',
] as const;
export const RESERVATION_SOURCES = ['channel_a', 'channel_b', 'channel_c', 'direct'] as const;
export const ARRIVAL_RELEASE_STATES = [
  'not_started',
  'not_configured',
  'not_held',
  'ready_to_hold',
  'held',
  'released',
  'viewed',
  'override_released',
] as const;

const ReservationStatus = z.enum(RESERVATION_STATUSES);
const ReservationSource = z.enum(RESERVATION_SOURCES);
const ArrivalReleaseState = z.enum(ARRIVAL_RELEASE_STATES).meta({ id: 'ArrivalReleaseState' });

const ReservationArrivalRelease = z
  .object({
    state: ArrivalReleaseState,
    state_label: z.string(),
    held_at: timestamp('').nullable(),
    released_at: timestamp('').nullable(),
    viewed_at: timestamp('').nullable(),
    override_at: timestamp('').nullable(),
    override_by: z.string().nullable(),
    override_reason: z.string().nullable(),
    next_events: z.array(z.string()),
  })
  .meta({ id: 'ReservationArrivalRelease', description: 'Where the arrival details stand; derived, never stored.' });

const guestName = nameText(120).meta({
  description: 'With at least one letter; kept composed (NFC) and without invisible or direction-changing characters.',
  example: 'Ada Lovelace',
});
const guestEmail = EmailAddress.meta({ example: 'ada@example.com' });

export const Reservation = z
  .object({
    id: idOf('reservation', 'The reservation’s id.'),
    object: z.literal('reservation'),
    property_id: idOf('property', 'The property it belongs to.'),
    packet_id: z
      .string()
      .nullable()
      .meta({ description: 'The packet variant of this guest; null means the property’s default.' }),
    guest_name: z.string(),
    guest_email: z
      .email()
      .meta({ description: 'A `…@guest.invalid` placeholder while no address is known.', example: 'ada@example.com' }),
    guest_contact_missing: z.boolean().meta({ description: 'Whether the address is a placeholder.' }),
    checkin_date: z.iso.date(),
    checkout_date: z.iso.date(),
    source: ReservationSource,
    status: ReservationStatus,
    sent_at: timestamp('').nullable(),
    opened_at: timestamp('').nullable(),
    clicked_at: timestamp('').nullable(),
    signed_at: timestamp('').nullable(),
    cancelled_at: timestamp('').nullable(),
    signature_id: z.string().nullable(),
    manual_override: z.boolean(),
    redacted: z.boolean(),
    selfie_required: z
      .boolean()
      .meta({ description: 'Whether the guest faces a photo step; a snapshot taken at send.' }),
    external_source: z.string().nullable(),
    external_id: z.string().nullable(),
    reminder_24h_sent_at: timestamp('').nullable(),
    reminder_2h_sent_at: timestamp('').nullable(),
    late_notified_at: timestamp('').nullable(),
    arrival_release_state: ArrivalReleaseState,
    arrival_release: ReservationArrivalRelease,
    arrival_details_held_at: timestamp('').nullable(),
    arrival_details_released_at: timestamp('').nullable(),
    arrival_details_viewed_at: timestamp('').nullable(),
    arrival_release_override_at: timestamp('').nullable(),
    arrival_release_override_by: z.string().nullable(),
    arrival_release_override_reason: z.string().nullable(),
    email_preview_url: z.url().optional().meta({ description: 'On a send made with a test key.' }),
    created_at: timestamp('When it was created.'),
    updated_at: timestamp('When it last changed.'),
  })
  .meta({ id: 'Reservation', description: 'One guest’s signing event.' });
compiled(Reservation);
export type Reservation = z.infer<typeof Reservation>;

export const RESERVATION_READ_ONLY = Object.keys(Reservation.shape).filter(
  (field) =>
    !['guest_name', 'guest_email', 'checkin_date', 'checkout_date', 'property_id', 'packet_id', 'source'].includes(
      field,
    ),
);

/** The dates must form a stay. */
export const checkDates = (value: { checkin_date?: string; checkout_date?: string }, ctx: z.RefinementCtx) => {
  if (value.checkin_date && value.checkout_date && value.checkout_date <= value.checkin_date) {
    refuse(ctx, 'invalid_date_range', ['checkout_date'], '`checkout_date` must be after `checkin_date`.');
  }
};

const packetId = z
  .string()
  .nullable()
  .optional()
  .meta({ description: 'A packet variant of the property; absent or null means its default.' });
const checkinDate = calendarDate('The day of arrival.');
const checkoutDate = calendarDate('The day of departure; must be after `checkin_date`.');

export const ReservationCreate = request(
  z
    .strictObject({
      property_id: idOf('property', 'The property.'),
      packet_id: packetId,
      guest_name: guestName,
      guest_email: guestEmail,
      checkin_date: checkinDate,
      checkout_date: checkoutDate,
      source: ReservationSource.default('direct'),
    })
    .superRefine(checkDates),
);
export type ReservationCreate = z.infer<typeof ReservationCreate>;

const unchangeable = 'Cannot change: taken only as it is, so that what was read can be sent back.';

export const ReservationUpdate = request(
  z
    .strictObject({
      id: pathId('reservation', 'The reservation’s id.'),
      packet_id: packetId,
      guest_name: guestName.optional(),
      guest_email: guestEmail.optional(),
      checkin_date: checkinDate.optional(),
      checkout_date: checkoutDate.optional(),
      property_id: idOf('property', unchangeable).optional(),
      source: ReservationSource.optional().meta({ description: unchangeable }),
    })
    .superRefine(checkDates),
);
export type ReservationUpdate = Omit<z.infer<typeof ReservationUpdate>, 'id'>;

export const ReservationId = z.strictObject({ id: pathId('reservation', 'The reservation’s id.') });

// An offset may push a date-time out of the years 1 to 9999, which are all that four digits can name.
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');
const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 date-time' })
  .refine(
    (text) => Date.parse(text) >= FIRST_INSTANT && Date.parse(text) <= LAST_INSTANT,
    'must be an ISO 8601 date-time',
  );

export const listFields = {
  limit: listLimit,
  starting_after: startingAfter,
  ending_before: endingBefore,
  status: ReservationStatus.optional(),
  property: z.string().optional().meta({ description: 'Only reservations of this property.' }),
  source: ReservationSource.optional(),
  'checkin_date.gte': calendarDate('Check-in on or after this day.').optional(),
  'checkin_date.lte': calendarDate('Check-in on or before this day.').optional(),
  'created_at.gte': instant.optional().meta({ description: 'Created at or after this moment.' }),
  'created_at.lte': instant.optional().meta({ description: 'Created at or before this moment.' }),
};

/** No range may end before it begins. */
export const checkRanges = (value: Partial<Record<keyof typeof listFields, unknown>>, ctx: z.RefinementCtx) => {
  for (const field of ['checkin_date', 'created_at'] as const) {
    const from = value[`${field}.gte`];
    const to = value[`${field}.lte`];
    if (typeof from === 'string' && typeof to === 'string' && Date.parse(from) > Date.parse(to)) {
      refuse(ctx, 'invalid_date_range', [`${field}.lte`], `\`${field}.lte\` must not be before \`${field}.gte\`.`);
    }
  }
};

export const ReservationListQuery = z.strictObject(listFields).superRefine(checkRanges);
export type ReservationListQuery = z.infer<typeof ReservationListQuery>;

export const ReservationList = listOf(Reservation, 'ReservationList');
export const ReservationDeleted = deletedOf('reservation', 'ReservationDeleted');

export const ReservationEvent = z
  .object({
    type: z.string(),
    created_at: timestamp('When it happened.'),
    signed_ip: z.string().nullable(),
    content_hash: z.string().nullable(),
    by: z.string().nullable(),
    reason: z.string().nullable(),
  })
  .meta({ id: 'ReservationEvent' });

export const ReservationEvents = z
  .object({ object: z.literal('list'), reservation_id: z.string(), data: z.array(ReservationEvent) })
  .meta({ id: 'ReservationEventList', description: 'The ordered lifecycle audit trail.' });

export const EmailPreview = z
  .object({
    object: z.literal('email_preview'),
    reservation_id: z.string(),
    rendered_at: timestamp('When it was rendered.'),
    would_send_to: z.email(),
    from: z.string().meta({ description: 'The sender’s address.', format: 'email' }),
    subject: z.string(),
    html: z.string(),
    text: z.string(),
  })
  .meta({ id: 'EmailPreview' });

export const CopyLink = z
  .object({
    signingUrl: z.url().nullable().meta({ description: 'Null before send.' }),
    copyUrl: z.url().nullable().meta({ description: 'Null before signing or when revoked.' }),
  })
  .meta({ id: 'CopyLink' });
