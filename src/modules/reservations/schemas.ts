/** Reservation: a guest's signing event (specification, "Reservation" and what follows it). */

import { z } from 'zod';
import { idPattern } from '@/shared/id-kinds';
import { readOnlyFields } from '@/shared/read-only';
import { refusal } from '@/shared/refusals/refusal';
import {
  calendarDate,
  compiled,
  deletedOf,
  EmailAddress,
  endingBefore,
  idOf,
  LanguageTag,
  listLimit,
  listOf,
  nameText,
  objectName,
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

const ReservationStatus = z.enum(RESERVATION_STATUSES).meta({
  description:
    '`draft` created; `synced` from a calendar; `sent` mailed; `opened` the mail was opened; `clicked` the page was seen; `signed`; `expired` the stay is over; `ignored` cancelled or set aside.',
});
const ReservationSource = z
  .enum(RESERVATION_SOURCES)
  .meta({ description: 'Where the booking came from: one of three channels, or `direct`.' });
const ArrivalReleaseState = z.enum(ARRIVAL_RELEASE_STATES).meta({
  id: 'ArrivalReleaseState',
  description:
    '`not_started` not sent; `not_configured` the packet has no arrival details; `not_held` all are visible before signing; `ready_to_hold` the guest has not looked yet; `held` seen unsigned, without them; `released` by a signature; `viewed` by the signed guest; `override_released` early, by a host.',
});

const ReservationArrivalRelease = z
  .object({
    state: ArrivalReleaseState,
    state_label: z.string().meta({ description: 'The state in words, for people.' }),
    held_at: timestamp('When the guest saw the page without the withheld details.').nullable(),
    released_at: timestamp('When a signature released them.').nullable(),
    viewed_at: timestamp('When the signed guest saw them.').nullable(),
    override_at: timestamp('When a host released them early.').nullable(),
    override_by: z.string().nullable().meta({ description: 'Who released them early.' }),
    override_reason: z.string().nullable().meta({ description: 'Why they were released early.' }),
    next_events: z.array(z.string()).meta({ description: 'The states that can follow.' }),
  })
  // Not `ReservationArrivalRelease`: generators name a field's type by schema and field, and `Reservation` has an `arrival_release_override_at`.
  .meta({ id: 'ArrivalRelease', description: 'Where the arrival details stand; derived, never stored.' });

const guestName = nameText(120).meta({
  description: 'With at least one letter; kept composed (NFC) and without invisible or direction-changing characters.',
  example: 'Ada Lovelace',
});
const guestEmail = EmailAddress.meta({
  description: 'Where the signing link is mailed to.',
  example: 'ada@example.com',
});

export const Reservation = z
  .object({
    id: idOf('reservation', 'The reservation’s id.'),
    object: objectName('reservation'),
    property_id: idOf('property', 'The property it belongs to.'),
    packet_id: z
      .string()
      .nullable()
      .meta({ description: 'The packet variant of this guest; null means the property’s default.' }),
    guest_name: z
      .string()
      .meta({ description: 'The guest’s name as it is shown. `Guest`, with a code, while none is known.' }),
    guest_email: z
      .email()
      .meta({ description: 'A `…@guest.invalid` placeholder while no address is known.', example: 'ada@example.com' }),
    guest_contact_missing: z.boolean().meta({ description: 'Whether the address is a placeholder.' }),
    locale: z.string().nullable().meta({
      description:
        'The guest’s language (BCP 47): as it was given; else as the guest used it, or as a channel’s mail or the country of a phone number tells. Null while nobody knows. Beta.',
      example: 'pt-BR',
    }),
    checkin_date: z.iso.date().meta({ description: 'The day of arrival.' }),
    checkout_date: z.iso.date().meta({ description: 'The day of departure.' }),
    source: ReservationSource,
    status: ReservationStatus,
    sent_at: timestamp('When the signing link was last mailed.').nullable(),
    opened_at: timestamp('When the mail was opened, as far as that can be known.').nullable(),
    clicked_at: timestamp('When a person first saw the signing page.').nullable(),
    signed_at: timestamp('When it was signed.').nullable(),
    cancelled_at: timestamp('When it was cancelled.').nullable(),
    signature_id: z
      .string()
      .nullable()
      .meta({ description: 'The certificate; null before signing and after a host’s “mark as signed”.' }),
    manual_override: z.boolean().meta({ description: 'Whether a host marked it as signed.' }),
    redacted: z.boolean().meta({ description: 'Whether the guest’s personal data was removed.' }),
    selfie_required: z
      .boolean()
      .meta({ description: 'Whether the guest faces a photo step; a snapshot taken at send.' }),
    external_source: z.string().nullable().meta({
      description:
        'The kind of source that brought it, when it was not created through the API: a `kind` of SyncSource, or `other_ical`, a calendar that is no channel’s. Such a calendar is set up in the dashboard alone: it is not among the sync sources, cannot be run through the API and has no `sync_source.*` events.',
    }),
    external_id: z.string().nullable().meta({ description: 'Its id there: a booking code, or the calendar’s UID.' }),
    reminder_24h_sent_at: timestamp('When the reminder of the day before was mailed.').nullable(),
    reminder_2h_sent_at: timestamp('When the reminder of two hours before was mailed.').nullable(),
    late_notified_at: timestamp('When the owner was told that the guest came unsigned.').nullable(),
    arrival_release_state: ArrivalReleaseState,
    arrival_release: ReservationArrivalRelease,
    arrival_details_held_at: timestamp('When the guest saw the page without the withheld details.').nullable(),
    arrival_details_released_at: timestamp('When a signature released them.').nullable(),
    arrival_details_viewed_at: timestamp('When the signed guest saw them.').nullable(),
    arrival_release_override_at: timestamp('When a host released them early.').nullable(),
    arrival_release_override_by: z.string().nullable().meta({ description: 'Who released them early.' }),
    arrival_release_override_reason: z.string().nullable().meta({ description: 'Why they were released early.' }),
    email_preview_url: z.url().optional().meta({ description: 'On a send made with a test key.' }),
    created_at: timestamp('When it was created.'),
    updated_at: timestamp('When it last changed.'),
  })
  .meta({ id: 'Reservation', description: 'One guest’s signing event.' });
compiled(Reservation);
export type Reservation = z.infer<typeof Reservation>;

export const RESERVATION_READ_ONLY = readOnlyFields(Reservation, [
  'guest_name',
  'guest_email',
  'locale',
  'checkin_date',
  'checkout_date',
  'packet_id',
]);

/** What a guest may say instead of signing. */
export const GUEST_REPLIES = ['question', 'declined'] as const;
export type GuestReply = (typeof GUEST_REPLIES)[number];

/** The dates must form a stay. */
export const checkDates = (value: { checkin_date?: string; checkout_date?: string }, ctx: z.RefinementCtx) => {
  if (value.checkin_date && value.checkout_date && value.checkout_date <= value.checkin_date) {
    refuse(ctx, 'invalid_date_range', ['checkout_date'], refusal('check_out_must_be_after'));
  }
};

const packetId = z
  .string()
  .nullable()
  .optional()
  .meta({ description: 'A packet variant of the property; absent or null means its default.' });
const locale = LanguageTag.nullable().optional().meta({
  description:
    'The guest’s language, a BCP 47 tag: mails, pages and the certificate are in it, where we have it. Absent or null: the page goes by the browser. Beta.',
  example: 'pt-BR',
});
const checkinDate = calendarDate('The day of arrival.');
const checkoutDate = calendarDate('The day of departure; must be after `checkin_date`.', '2030-12-28');

export const ReservationCreate = request(
  z
    .strictObject({
      object: objectName('reservation').optional(),
      property_id: idOf('property', 'The property.'),
      packet_id: packetId,
      guest_name: guestName,
      guest_email: guestEmail,
      locale,
      checkin_date: checkinDate,
      checkout_date: checkoutDate,
      source: ReservationSource.default('direct'),
    })
    .superRefine(checkDates),
);
export type ReservationCreate = z.infer<typeof ReservationCreate>;

export const ReservationUpdate = request(
  z
    .strictObject({
      id: pathId('reservation', 'The reservation’s id.'),
      packet_id: packetId,
      guest_name: guestName.optional(),
      guest_email: guestEmail.optional(),
      locale,
      checkin_date: checkinDate.optional(),
      checkout_date: checkoutDate.optional(),
      ...RESERVATION_READ_ONLY,
    })
    .superRefine(checkDates),
);
export type ReservationUpdate = Omit<z.infer<typeof ReservationUpdate>, 'id' | keyof typeof RESERVATION_READ_ONLY>;

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
  // Refined, not a pattern: the document of version 1 has none here.
  property: z
    .string()
    .refine((id) => idPattern('property').test(id), 'must look like prop_…')
    .meta({ description: 'Only reservations of this property.' })
    .optional(),
  source: ReservationSource.optional(),
  'checkin_date.gte': calendarDate('Check-in on or after this day.').optional(),
  'checkin_date.lte': calendarDate('Check-in on or before this day.').optional(),
  'created_at.gte': instant.meta({ description: 'Created at or after this moment.' }).optional(),
  'created_at.lte': instant.meta({ description: 'Created at or before this moment.' }).optional(),
};

/** No range may end before it begins. */
export const checkRanges = (value: Partial<Record<keyof typeof listFields, unknown>>, ctx: z.RefinementCtx) => {
  for (const field of ['checkin_date', 'created_at'] as const) {
    const from = value[`${field}.gte`];
    const to = value[`${field}.lte`];
    if (typeof from === 'string' && typeof to === 'string' && Date.parse(from) > Date.parse(to)) {
      refuse(
        ctx,
        'invalid_date_range',
        [`${field}.lte`],
        refusal('end_before_its_start', { end: `${field}.lte`, start: `${field}.gte` }),
      );
    }
  }
};

export const ReservationListQuery = z.strictObject(listFields).superRefine(checkRanges);
export type ReservationListQuery = z.infer<typeof ReservationListQuery>;

export const ReservationList = listOf(Reservation, 'ReservationList');
export const ReservationDeleted = deletedOf('reservation', 'ReservationDeleted');

export const ReservationEvent = z
  .object({
    type: z.string().meta({ description: 'What happened: an event type, or a step that has no webhook.' }),
    created_at: timestamp('When it happened.'),
    signed_ip: z.string().nullable().meta({ description: 'The signer’s address; on `reservation.signed`.' }),
    content_hash: z.string().nullable().meta({ description: 'SHA-256 of what was signed; on `reservation.signed`.' }),
    by: z.string().nullable().meta({ description: 'Who; on `reservation.arrival_details_override_released`.' }),
    reason: z.string().nullable().meta({ description: 'Why; on `reservation.arrival_details_override_released`.' }),
  })
  .meta({ id: 'ReservationEvent', description: 'One step of a reservation’s life.' });

export const ReservationEvents = z
  .object({
    object: objectName('list'),
    reservation_id: idOf('reservation', 'The reservation.'),
    data: z.array(ReservationEvent).meta({ description: 'What happened, the oldest first.' }),
  })
  .meta({ id: 'ReservationEventList', description: 'The ordered lifecycle audit trail.' });

export const EmailPreview = z
  .object({
    object: objectName('email_preview'),
    reservation_id: z.string().meta({ description: 'The reservation.' }),
    rendered_at: timestamp('When it was rendered.'),
    would_send_to: z.email().meta({ description: 'The guest’s address.' }),
    from: z.string().meta({ description: 'The sender’s address.', format: 'email' }),
    subject: z.string().meta({ description: 'The subject.' }),
    html: z.string().meta({ description: 'The mail as HTML.' }),
    text: z.string().meta({ description: 'The mail as plain text.' }),
  })
  .meta({ id: 'EmailPreview', description: 'The mail that a test send rendered and did not send.' });

export const CopyLink = z
  .object({
    signingUrl: z.url().nullable().meta({ description: 'Null before send.' }),
    copyUrl: z.url().nullable().meta({ description: 'Null before signing or when revoked.' }),
  })
  .meta({ id: 'CopyLink', description: 'The guest’s links.' });
