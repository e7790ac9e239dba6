/** What the dashboard sends and sees of reservations beyond the public resource. */
import { z } from 'zod';
import { ARRIVAL_GROUPS } from '@/modules/packets/schemas';
import { calendarDate, EmailAddress, listOf, optionalText } from '@/shared/schemas';
import { IMPORT_LONGEST_TEXT } from './import/file.rules';
import { IMPORT_FIELDS } from './import/import.rules';
import { HOST_ACTIONS } from './rules/allowed-actions';
import {
  checkDates,
  checkRanges,
  GUEST_REPLIES,
  listFields,
  RESERVATION_SOURCES,
  RESERVATION_STATUSES,
  Reservation,
  ReservationCreate,
  ReservationEvent,
  ReservationEvents,
} from './schemas';

const date_time = z.iso.datetime();

export const RESERVATION_SORTS = ['created', 'checkin', 'guest'] as const;
/** Filters that are no field: what waits for its host. */
export const ATTENTION_FILTERS = ['guest_replied', 'same_nights', 'address_missing', 'dates_changed'] as const;

const ReservationSort = z.strictObject({ by: z.enum(RESERVATION_SORTS), descending: z.boolean() });
export type ReservationSort = z.infer<typeof ReservationSort>;

export const HostReservationListQuery = z
  .strictObject({
    ...listFields,
    /** Beginnings of words of the guest's name, e-mail and booking code; all of them must occur. */
    search: z.string().trim().max(200).optional(),
    attention: z.enum(ATTENTION_FILTERS).optional(),
    /** Any of these. */
    statuses: z.array(z.enum(RESERVATION_STATUSES)).min(1).max(RESERVATION_STATUSES.length).optional(),
    /** The newest first without it. */
    sort: ReservationSort.optional(),
  })
  .superRefine(checkRanges);
export type HostReservationListQuery = z.infer<typeof HostReservationListQuery>;

/** What the guest said instead of signing. */
const GuestReply = z.enum(GUEST_REPLIES);

/** The guest's latest mail with the link did not arrive. */
const MailProblem = z.object({ status: z.enum(['failed', 'suppressed', 'captured']), reason: z.string().nullable() });

/** Another reservation that wants nights of this one's. */
const SameNights = z.object({
  /** `repeats`: this is only the other's nights once more, from a second calendar; `repeated_by` is the other way round. */
  as: z.enum(['conflict', 'repeats', 'repeated_by']),
  reservation_id: z.string(),
  guest_name: z.string(),
  checkin_date: z.string(),
  checkout_date: z.string(),
  source: z.enum(RESERVATION_SOURCES),
  status: z.enum(RESERVATION_STATUSES),
  /** The host said that both are real. */
  both_real: z.boolean(),
});
export type SameNights = z.infer<typeof SameNights>;

export const HostReservationList = listOf(
  Reservation.extend({
    property_name: z.string(),
    /** On whose clock its days are; null is UTC. */
    property_timezone: z.string().nullable(),
    /** A calendar moved the dates after the packet went out; null once it is sent again, signed or over. */
    dates_changed_after_send_at: date_time.nullable(),
    /** While the guest has not signed; null when it arrived, or nobody knows. */
    mail_problem: MailProblem.nullable(),
    /** While it waits for the host. */
    guest_reply: GuestReply.nullable(),
    /** What is still to be said of comes first. */
    same_nights: z.array(SameNights),
  }),
  'HostReservationList',
);

const ActionAnswer = z.union([
  z.object({ allowed: z.literal(true) }),
  z.object({ allowed: z.literal(false), code: z.string().nullable(), message: z.string() }),
]);

/** A reservation with what a host sees beyond it, and what may be done with it now. */
export const HostReservation = Reservation.extend({
  actions: z.object(
    Object.fromEntries(HOST_ACTIONS.map((action) => [action, ActionAnswer])) as Record<
      (typeof HOST_ACTIONS)[number],
      typeof ActionAnswer
    >,
  ),
  dates_changed_after_send_at: date_time.nullable(),
  mail_problem: MailProblem.nullable(),
  /** While it waits for the host; the message is empty when there is none. */
  guest_reply: z.object({ kind: GuestReply, at: date_time, message: z.string() }).nullable(),
  legal_hold: z.boolean(),
  cancel_reason: z.string().nullable(),
  /** The packet this guest gets; null when the property has no active one. */
  packet: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Of the packet's arrival groups that hold something: what the guest can see now, and what not. */
  arrival: z.object({ released: z.array(z.enum(ARRIVAL_GROUPS)), withheld: z.array(z.enum(ARRIVAL_GROUPS)) }),
  /** Last four digits of the guest's phone, where a calendar told. */
  guest_phone_last4: z.string().nullable(),
  /** The address is a channel's relay: mail reaches the guest through the channel. */
  guest_email_relay: z.boolean(),
  same_nights: z.array(SameNights),
  /** Auto-send waits until the host has said something of its `same_nights`. */
  held_back: z.boolean(),
  share_link_made: z.boolean(),
  /** The signature's PDF; not available while it is being sealed. */
  certificate: z.object({ id: z.string(), pdf_available: z.boolean() }).nullable(),
});
export type HostReservation = z.infer<typeof HostReservation>;

/** The trail in the words of the people it is about. */
export const HostReservationEvents = ReservationEvents.extend({
  data: z.array(
    ReservationEvent.extend({
      /** Who did it; null for the guest. */
      doer: z.string().nullable(),
      /** The columns that a change touched. */
      fields: z.array(z.string()),
      /** What was given as the reason, whatever was done. */
      note: z.string().nullable(),
    }),
  ),
});
export type HostReservationEvents = z.infer<typeof HostReservationEvents>;

export const ReleaseArrival = z.strictObject({
  id: z.string(),
  reason: z.string().trim().min(1).max(500, 'must have at most 500 characters'),
  groups: z.array(z.enum(ARRIVAL_GROUPS)).min(1).optional(),
});

export const ChangeDates = z.strictObject({
  id: z.string(),
  checkin_date: calendarDate('The new day of arrival.'),
  checkout_date: calendarDate('The new day of departure.'),
});

export const BothReal = z.strictObject({ id: z.string(), other_id: z.string() });

export const ShareLink = z.object({ url: z.string() });

/** As in the public API; but a host may know no address yet, and may know the channel's booking code. */
export const HostReservationCreate = z
  .strictObject({
    ...ReservationCreate.shape,
    guest_email: EmailAddress.nullable(),
    external_id: optionalText(200)
      .transform((text) => text || null)
      .optional(),
  })
  .superRefine(checkDates);

export const ImportInput = z.strictObject({
  text: z.string().max(IMPORT_LONGEST_TEXT, `must have at most ${IMPORT_LONGEST_TEXT} characters`),
  property_id: z.string().max(100).nullable(),
  day_first: z.boolean(),
});

const Field = z.enum(IMPORT_FIELDS);
export const ImportPreview = z.object({
  /** What is wrong with the file as a whole. */
  problem: z.string().nullable(),
  columns: z.array(z.object({ header: z.string(), field: Field.nullable() })),
  lines: z.array(
    z.object({
      line: z.int(),
      shown: z.partialRecord(Field, z.string()),
      problems: z.array(z.object({ field: Field, message: z.string() })),
      /** Why the import leaves it out although nothing is wrong with it. */
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
  /** How many lines an import would create, and how many are wrong. */
  ready: z.int(),
  wrong: z.int(),
});
export type ImportPreview = z.infer<typeof ImportPreview>;
export const ImportResult = z.object({ created: z.int(), skipped: z.int() });
