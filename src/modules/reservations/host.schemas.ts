/** Inputs and outputs of reservations that only the dashboard uses. */
import { z } from 'zod';
import { ARRIVAL_DETAIL_GROUPS } from '@/modules/packets/schemas';
import { calendarDateField, defineListEnvelope, EmailAddress } from '@/shared/schemas';
import { MAX_IMPORT_TEXT_LENGTH } from './import/file.rules';
import { IMPORT_COLUMN_NAMES } from './import/import.rules';
import { HOST_RESERVATION_ACTIONS } from './rules/allowed-actions';
import { TrailActor } from './rules/timeline';
import {
  GUEST_REPLY_KINDS,
  GuestDetailsCorrectionInput,
  RESERVATION_SOURCES,
  RESERVATION_STATUSES,
  Reservation,
  ReservationCreate,
  ReservationEvent,
  ReservationEventListEnvelope,
  reservationListQueryFields,
  validateQueryDateRanges,
  validateStayDates,
} from './schemas';

const date_time = z.iso.datetime();

export const RESERVATION_SORTS = ['created', 'checkin', 'guest'] as const;
/** Filters for reservations that require the host's attention. */
export const RESERVATION_ATTENTION_FILTERS = [
  'guest_replied',
  'same_nights',
  'address_missing',
  'dates_changed',
] as const;

const ReservationSort = z.strictObject({ by: z.enum(RESERVATION_SORTS), descending: z.boolean() });
export type ReservationSort = z.infer<typeof ReservationSort>;

export const HostReservationListQuery = z
  .strictObject({
    ...reservationListQueryFields,
    /**
     * The searched words. Each must be a prefix of a word in the guest's name, email address or
     * booking code.
     */
    search: z.string().trim().max(200).optional(),
    attention: z.enum(RESERVATION_ATTENTION_FILTERS).optional(),
    statuses: z.array(z.enum(RESERVATION_STATUSES)).min(1).max(RESERVATION_STATUSES.length).optional(),
    /** The default is newest first. */
    sort: ReservationSort.optional(),
  })
  .superRefine(validateQueryDateRanges);
export type HostReservationListQuery = z.infer<typeof HostReservationListQuery>;

/** The kind of the guest's message when the guest replied instead of signing. */
const GuestReply = z.enum(GUEST_REPLY_KINDS);

/** Why the latest mail with the guest's link did not arrive. */
const MailProblem = z.object({ status: z.enum(['failed', 'suppressed', 'captured']), reason: z.string().nullable() });

/** Another reservation for some of the same nights. */
const SameNights = z.object({
  /**
   * `repeats`: this booking names no guest and is a copy of the other booking in a second calendar.
   * `repeated_by`: the other booking is a copy of this one.
   */
  as: z.enum(['conflict', 'repeats', 'repeated_by']),
  reservation_id: z.string(),
  guest_name: z.string(),
  checkin_date: z.string(),
  checkout_date: z.string(),
  source: z.enum(RESERVATION_SOURCES),
  status: z.enum(RESERVATION_STATUSES),
  /** Whether the host confirmed that both bookings are real. */
  both_real: z.boolean(),
});
export type DoubleBookingInfo = z.infer<typeof SameNights>;

export const HostReservationList = defineListEnvelope(
  Reservation.extend({
    property_name: z.string(),
    /** The property's IANA time zone. Null means UTC. */
    property_timezone: z.string().nullable(),
    /**
     * When a calendar changed the dates after sending. Null once the reservation is sent again,
     * signed or over.
     */
    dates_changed_after_send_at: date_time.nullable(),
    /**
     * Why the guest's mail was not delivered. Null if it was delivered, if its delivery is unknown,
     * or once the guest has signed.
     */
    mail_problem: MailProblem.nullable(),
    /** Null unless the reply requires the host's attention. */
    guest_reply: GuestReply.nullable(),
    /** Sorted with unanswered conflicts first. */
    same_nights: z.array(SameNights),
  }),
  'HostReservationList',
);

const ActionAnswer = z.union([
  z.object({ allowed: z.literal(true) }),
  z.object({ allowed: z.literal(false), code: z.string().nullable(), message: z.string() }),
]);

/** A reservation for a host, with the actions that are currently possible. */
export const HostReservation = Reservation.extend({
  actions: z.object(
    Object.fromEntries(HOST_RESERVATION_ACTIONS.map((action) => [action, ActionAnswer])) as Record<
      (typeof HOST_RESERVATION_ACTIONS)[number],
      typeof ActionAnswer
    >,
  ),
  dates_changed_after_send_at: date_time.nullable(),
  mail_problem: MailProblem.nullable(),
  /** Null unless the reply requires the host's attention. The message may be empty. */
  guest_reply: z.object({ kind: GuestReply, at: date_time, message: z.string() }).nullable(),
  legal_hold: z.boolean(),
  cancel_reason: z.string().nullable(),
  /** The guest's packet. Null when the property has no active packet. */
  packet: z.object({ id: z.string(), name: z.string() }).nullable(),
  /**
   * The arrival groups that have content. The guest can see the released groups now, and cannot see
   * the withheld groups yet.
   */
  arrival: z.object({
    released: z.array(z.enum(ARRIVAL_DETAIL_GROUPS)),
    withheld: z.array(z.enum(ARRIVAL_DETAIL_GROUPS)),
  }),
  /** The last four digits of the guest's phone number, from a calendar or a host. */
  guest_phone_last4: z.string().nullable(),
  /** Whether the guest's email address is a channel's relay address. */
  guest_email_relay: z.boolean(),
  same_nights: z.array(SameNights),
  /** Whether automatic sending waits until the host has confirmed the bookings in `same_nights`. */
  held_back: z.boolean(),
  share_link_made: z.boolean(),
  /** The PDF is not available while it is being sealed. */
  certificate: z.object({ id: z.string(), pdf_available: z.boolean() }).nullable(),
});
export type HostReservation = z.infer<typeof HostReservation>;

/** The trail with the authors and details that only hosts see. */
export const HostReservationEventListEnvelope = ReservationEventListEnvelope.extend({
  data: z.array(
    ReservationEvent.extend({
      actor: TrailActor.nullable(),
      /** The columns that changed. */
      fields: z.array(z.string()),
      /** The text that a person entered. */
      note: z.string().nullable(),
    }),
  ),
});
export type HostReservationEventListEnvelope = z.infer<typeof HostReservationEventListEnvelope>;

export const ReleaseArrivalDetailsInput = z.strictObject({
  id: z.string(),
  reason: z.string().trim().min(1).max(500, 'must have at most 500 characters'),
  groups: z.array(z.enum(ARRIVAL_DETAIL_GROUPS)).min(1).optional(),
});

export const ChangeDatesInput = z.strictObject({
  id: z.string(),
  checkin_date: calendarDateField('The new day of arrival.'),
  checkout_date: calendarDateField('The new day of departure.'),
});

/** The public API's input, plus the last digits of the guest's phone number. */
export const GuestDetailsCorrectionByHost = z.strictObject({
  ...GuestDetailsCorrectionInput.shape,
  guest_phone_last4: z
    .string()
    .regex(/^[0-9]{4}$/)
    .nullable()
    .optional(),
});

export const ConfirmBothBookingsInput = z.strictObject({ id: z.string(), other_id: z.string() });

/**
 * Guests whose packet contains a given fee or rule and whose stay is not over, sorted by arrival.
 */
export const GuestsAffectedByPacketItemChange = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      packet_id: z.string(),
      guest_name: z.string(),
      checkin_date: z.string(),
      /** False when the guest has the link but has not signed. */
      signed: z.boolean(),
    }),
  ),
  has_more: z.boolean(),
});
export type GuestsAffectedByPacketItemChange = z.infer<typeof GuestsAffectedByPacketItemChange>;

export const ShareableSigningLinkOutput = z.object({ url: z.string() });

/** The public API's input, except that the guest's email address may be unknown. */
export const HostReservationCreateInput = z
  .strictObject({
    ...ReservationCreate.shape,
    guest_email: EmailAddress.nullable(),
  })
  .superRefine(validateStayDates);

export const ReservationImportInput = z.strictObject({
  text: z.string().max(MAX_IMPORT_TEXT_LENGTH, `must have at most ${MAX_IMPORT_TEXT_LENGTH} characters`),
  property_id: z.string().max(100).nullable(),
  day_first: z.boolean(),
});

const Field = z.enum(IMPORT_COLUMN_NAMES);
export const ReservationImportPreview = z.object({
  /** A problem with the whole file. */
  problem: z.string().nullable(),
  columns: z.array(z.object({ header: z.string(), field: Field.nullable() })),
  lines: z.array(
    z.object({
      line: z.int(),
      shown: z.partialRecord(Field, z.string()),
      problems: z.array(z.object({ field: Field, message: z.string() })),
      /**
       * Why the import skips the line although it is valid. Null if the line is imported or
       * invalid.
       */
      repeated: z.string().nullable(),
      row: z
        .object({
          property_id: z.string(),
          property_name: z.string(),
          guest_name: z.string(),
          guest_email: z.string().nullable(),
          locale: z.string().nullable(),
          checkin_date: z.string(),
          checkout_date: z.string(),
          source: z.enum(RESERVATION_SOURCES),
          external_id: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
  /**
   * `ready` is the number of reservations that an import would create, and `wrong` the number of
   * lines with problems.
   */
  ready: z.int(),
  wrong: z.int(),
});
export type ReservationImportPreview = z.infer<typeof ReservationImportPreview>;
export const ReservationImportResult = z.object({ created: z.int(), skipped: z.int() });
