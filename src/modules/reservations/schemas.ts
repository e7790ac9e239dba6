/**
 * Reservation: a guest's signing event (specification, "Reservation" and the sections after it).
 */

import { z } from 'zod';
import { getIdPattern } from '@/shared/id-kinds';
import { Metadata, MetadataChange } from '@/shared/metadata';
import { listReadOnlyFields } from '@/shared/read-only';
import { createRefusal } from '@/shared/refusals/refusal';
import {
  addCrossFieldSchemaIssue,
  calendarDateField,
  defineDeletionResponse,
  defineListEnvelope,
  defineRequestInput,
  EmailAddress,
  endingBeforeCursorField,
  idField,
  LanguageTag,
  listLimitField,
  makeSchemaParseSynchronously,
  objectTypeField,
  optionalTextField,
  personNameField,
  startingAfterCursorField,
  timestampField,
  urlPathIdField,
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
    '`draft`: created, not sent. `synced`: created from a calendar or a mail, not sent. `sent`: the signing link was mailed. `opened`: the mail was opened. `clicked`: the signing page was opened. `signed`: signed by the guest, or marked as signed by a host. `expired`: the stay is over. `ignored`: cancelled or archived.',
});
const ReservationSource = z
  .enum(RESERVATION_SOURCES)
  .meta({ description: 'Where the booking came from: one of three channels, or `direct`.' });
const ArrivalReleaseState = z.enum(ARRIVAL_RELEASE_STATES).meta({
  id: 'ArrivalReleaseState',
  description:
    '`not_started`: not sent. `not_configured`: the packet has no arrival details. `not_held`: all details are visible before signing. `ready_to_hold`: the guest has not opened the page. `held`: the guest opened the page and saw it without the withheld details. `released`: released by the signature. `viewed`: the guest saw the details after signing. `override_released`: released early by a host.',
});

const ReservationArrivalRelease = z
  .object({
    state: ArrivalReleaseState,
    state_label: z.string().meta({ description: 'A readable name of the state.' }),
    held_at: timestampField('When the guest saw the page without the withheld details.').nullable(),
    released_at: timestampField('When a signature released them.').nullable(),
    viewed_at: timestampField('When the signed guest saw them.').nullable(),
    override_at: timestampField('When a host released them early.').nullable(),
    override_by: z.string().nullable().meta({ description: 'Who released them early.' }),
    override_reason: z.string().nullable().meta({ description: 'Why they were released early.' }),
    next_events: z.array(z.string()).meta({ description: 'The states that can follow.' }),
  })
  // Not named `ReservationArrivalRelease`, because code generators may derive that name from
  // `Reservation` and a field.
  .meta({ id: 'ArrivalRelease', description: 'The state of the arrival details. Derived, not stored.' });

const guestName = personNameField(120).meta({
  description:
    'Must contain a letter. Stored in Unicode form NFC, without invisible and direction-changing characters.',
  example: 'Ada Lovelace',
});
const guestEmail = EmailAddress.meta({
  description: 'Where the signing link is mailed to.',
  example: 'ada@example.com',
});

export const Reservation = z
  .object({
    id: idField('reservation', 'The reservation’s id.'),
    object: objectTypeField('reservation'),
    property_id: idField('property', 'The property it belongs to.'),
    packet_id: z
      .string()
      .nullable()
      .meta({ description: 'The packet variant of this guest. Null means the property’s default.' }),
    guest_name: z
      .string()
      .meta({ description: 'The guest’s name as it is shown. `Guest` with a code while the name is unknown.' }),
    guest_email: z.email().meta({
      description: 'The guest’s address. A `…@guest.invalid` placeholder while it is unknown.',
      example: 'ada@example.com',
    }),
    guest_contact_missing: z.boolean().meta({ description: 'Whether the address is a placeholder.' }),
    locale: z.string().nullable().meta({
      description:
        'The guest’s language (BCP 47), as given. If none was given, the language in which the guest read the page, or the one that a channel’s mail or the country of the phone number suggests. Null while unknown. Beta.',
      example: 'pt-BR',
    }),
    checkin_date: z.iso.date().meta({ description: 'The day of arrival.' }),
    checkout_date: z.iso.date().meta({ description: 'The day of departure.' }),
    source: ReservationSource,
    status: ReservationStatus,
    sent_at: timestampField('When the signing link was last mailed.').nullable(),
    opened_at: timestampField('When the mail was opened, if that could be detected.').nullable(),
    clicked_at: timestampField('When a person first saw the signing page.').nullable(),
    signed_at: timestampField('When it was signed.').nullable(),
    cancelled_at: timestampField('When it was cancelled.').nullable(),
    signature_id: z.string().nullable().meta({
      description: 'The certificate’s id. Null before signing, and when a host marked the reservation as signed.',
    }),
    manual_override: z.boolean().meta({ description: 'Whether a host marked it as signed.' }),
    redacted: z.boolean().meta({ description: 'Whether the guest’s personal data was removed.' }),
    selfie_required: z
      .boolean()
      .meta({ description: 'Whether the guest is asked for a photo. Fixed when the reservation is sent.' }),
    external_source: z.string().nullable().meta({
      description:
        'The kind of source that created the reservation, if it was not the API: a `kind` of SyncSource, or `other_ical` for a calendar that does not belong to a channel. Such a calendar is set up in the dashboard. It is not listed as a sync source, cannot be run through the API and has no `sync_source.*` events.',
    }),
    external_id: z.string().nullable().meta({
      description:
        'The reservation’s id at its source: a booking code, or the UID of a calendar entry. For a reservation created through the API, the id that you gave it.',
    }),
    metadata: Metadata,
    reminder_24h_sent_at: timestampField('When the reminder 24 hours before check-in was mailed.').nullable(),
    reminder_2h_sent_at: timestampField('When the reminder two hours before check-in was mailed.').nullable(),
    late_notified_at: timestampField(
      'When the owner was notified that the guest had not signed by check-in.',
    ).nullable(),
    arrival_release_state: ArrivalReleaseState,
    arrival_release: ReservationArrivalRelease,
    arrival_details_held_at: timestampField('When the guest saw the page without the withheld details.').nullable(),
    arrival_details_released_at: timestampField('When a signature released them.').nullable(),
    arrival_details_viewed_at: timestampField('When the signed guest saw them.').nullable(),
    arrival_release_override_at: timestampField('When a host released them early.').nullable(),
    arrival_release_override_by: z.string().nullable().meta({ description: 'Who released them early.' }),
    arrival_release_override_reason: z.string().nullable().meta({ description: 'Why they were released early.' }),
    email_preview_url: z
      .url()
      .optional()
      .meta({ description: 'The URL of the mail’s preview, in the response to a send with a test key.' }),
    created_at: timestampField('When it was created.'),
    updated_at: timestampField('When it last changed.'),
  })
  .meta({ id: 'Reservation', description: 'One guest’s signing event.' });
makeSchemaParseSynchronously(Reservation);
export type Reservation = z.infer<typeof Reservation>;

export const RESERVATION_READ_ONLY_FIELDS = listReadOnlyFields(Reservation, [
  'guest_name',
  'guest_email',
  'locale',
  'checkin_date',
  'checkout_date',
  'packet_id',
  'external_id',
  'metadata',
]);

/** The kinds of reply that a guest can give instead of signing. */
export const GUEST_REPLY_KINDS = ['question', 'declined'] as const;
export type GuestReplyKind = (typeof GUEST_REPLY_KINDS)[number];

/** Verifies that the check-out date is after the check-in date. */
export const validateStayDates = (value: { checkin_date?: string; checkout_date?: string }, ctx: z.RefinementCtx) => {
  if (value.checkin_date && value.checkout_date && value.checkout_date <= value.checkin_date) {
    addCrossFieldSchemaIssue(ctx, 'invalid_date_range', ['checkout_date'], createRefusal('check_out_must_be_after'));
  }
};

const packetId = z
  .string()
  .nullable()
  .optional()
  .meta({ description: 'A packet variant of the property; absent or null means its default.' });
const locale = LanguageTag.nullable().optional().meta({
  description:
    'The guest’s language, a BCP 47 tag. Mails, pages and the certificate use it if it is supported. If it is absent or null, the page uses the browser’s language. Beta.',
  example: 'pt-BR',
});
const externalId = optionalTextField(200).optional().meta({
  description:
    'The booking’s id in your system, to find the reservation by. It need not be unique. It cannot be changed on a reservation that a calendar or a mail created. Beta.',
  example: 'BK-20418',
});
const checkinDate = calendarDateField('The day of arrival.');
const checkoutDate = calendarDateField('The day of departure; must be after `checkin_date`.', '2030-12-28');

export const ReservationCreate = defineRequestInput(
  z
    .strictObject({
      object: objectTypeField('reservation').optional(),
      property_id: idField('property', 'The property.'),
      packet_id: packetId,
      guest_name: guestName,
      guest_email: guestEmail,
      locale,
      checkin_date: checkinDate,
      checkout_date: checkoutDate,
      source: ReservationSource.default('direct'),
      external_id: externalId,
      metadata: MetadataChange.optional(),
    })
    .superRefine(validateStayDates),
);
export type ReservationCreate = z.infer<typeof ReservationCreate>;

export const ReservationUpdate = defineRequestInput(
  z
    .strictObject({
      id: urlPathIdField('reservation', 'The reservation’s id.'),
      packet_id: packetId,
      guest_name: guestName.optional(),
      guest_email: guestEmail.optional(),
      locale,
      checkin_date: checkinDate.optional(),
      checkout_date: checkoutDate.optional(),
      external_id: externalId,
      metadata: MetadataChange.optional(),
      ...RESERVATION_READ_ONLY_FIELDS,
    })
    .superRefine(validateStayDates),
);
export type ReservationUpdate = Omit<
  z.infer<typeof ReservationUpdate>,
  'id' | keyof typeof RESERVATION_READ_ONLY_FIELDS
>;

export const GuestDetailsCorrectionInput = defineRequestInput(
  z
    .strictObject({
      id: urlPathIdField('reservation', 'The reservation’s id.'),
      guest_name: guestName.optional(),
      guest_email: guestEmail.optional(),
      locale,
    })
    .meta({ description: 'The guest’s details to change.' }),
);

export const ReservationId = z.strictObject({ id: urlPathIdField('reservation', 'The reservation’s id.') });

// A date-time with an offset may fall outside the years 1 to 9999 when converted to UTC.
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z');
const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');
const instant = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 date-time' })
  .refine(
    (text) => Date.parse(text) >= FIRST_INSTANT && Date.parse(text) <= LAST_INSTANT,
    'must be an ISO 8601 date-time',
  );

export const reservationListQueryFields = {
  limit: listLimitField,
  starting_after: startingAfterCursorField,
  ending_before: endingBeforeCursorField,
  status: ReservationStatus.optional(),
  // Validated with a refinement instead of a pattern, because the OpenAPI document of version 1 has
  // no pattern for this field.
  property: z
    .string()
    .refine((id) => getIdPattern('property').test(id), 'must look like prop_…')
    .meta({ description: 'Only reservations of this property.' })
    .optional(),
  source: ReservationSource.optional(),
  external_id: z.string().max(200).meta({ description: 'Only reservations with this `external_id`. Beta.' }).optional(),
  'checkin_date.gte': calendarDateField('Check-in on or after this day.').optional(),
  'checkin_date.lte': calendarDateField('Check-in on or before this day.').optional(),
  'created_at.gte': instant.meta({ description: 'Created at or after this moment.' }).optional(),
  'created_at.lte': instant.meta({ description: 'Created at or before this moment.' }).optional(),
};

export const validateQueryDateRanges = (
  value: Partial<Record<keyof typeof reservationListQueryFields, unknown>>,
  ctx: z.RefinementCtx,
) => {
  for (const field of ['checkin_date', 'created_at'] as const) {
    const from = value[`${field}.gte`];
    const to = value[`${field}.lte`];
    if (typeof from === 'string' && typeof to === 'string' && Date.parse(from) > Date.parse(to)) {
      addCrossFieldSchemaIssue(
        ctx,
        'invalid_date_range',
        [`${field}.lte`],
        createRefusal('end_before_its_start', { end: `${field}.lte`, start: `${field}.gte` }),
      );
    }
  }
};

export const ReservationListQuery = z.strictObject(reservationListQueryFields).superRefine(validateQueryDateRanges);
export type ReservationListQuery = z.infer<typeof ReservationListQuery>;

export const ReservationList = defineListEnvelope(Reservation, 'ReservationList');
export const ReservationDeleted = defineDeletionResponse('reservation', 'ReservationDeleted');

export const ReservationEvent = z
  .object({
    type: z.string().meta({ description: 'What happened: an event type, or a step that has no webhook.' }),
    created_at: timestampField('When it happened.'),
    signed_ip: z.string().nullable().meta({ description: 'The signer’s IP address. Only on `reservation.signed`.' }),
    content_hash: z
      .string()
      .nullable()
      .meta({ description: 'SHA-256 of the signed snapshot. Only on `reservation.signed`.' }),
    by: z
      .string()
      .nullable()
      .meta({ description: 'Who released the details. Only on `reservation.arrival_details_override_released`.' }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the details were released. Only on `reservation.arrival_details_override_released`.' }),
  })
  .meta({ id: 'ReservationEvent', description: 'One step of a reservation’s life.' });

export const ReservationEventListEnvelope = z
  .object({
    object: objectTypeField('list'),
    reservation_id: idField('reservation', 'The reservation.'),
    data: z.array(ReservationEvent).meta({ description: 'The events, oldest first.' }),
  })
  .meta({ id: 'ReservationEventList', description: 'The ordered lifecycle audit trail.' });

export const EmailPreview = z
  .object({
    object: objectTypeField('email_preview'),
    reservation_id: z.string().meta({ description: 'The reservation.' }),
    rendered_at: timestampField('When it was rendered.'),
    would_send_to: z.email().meta({ description: 'The guest’s address.' }),
    from: z.string().meta({ description: 'The sender’s address.', format: 'email' }),
    subject: z.string().meta({ description: 'The subject.' }),
    html: z.string().meta({ description: 'The mail as HTML.' }),
    text: z.string().meta({ description: 'The mail as plain text.' }),
  })
  .meta({ id: 'EmailPreview', description: 'The mail that a test send rendered and did not send.' });

export const CopyLink = z
  .object({
    signingUrl: z.url().nullable().meta({ description: 'The signing link. Null before the reservation is sent.' }),
    copyUrl: z
      .url()
      .nullable()
      .meta({ description: 'The link to the guest’s copy. Null before signing, and after the copy is revoked.' }),
  })
  .meta({ id: 'CopyLink', description: 'The guest’s links.' });
