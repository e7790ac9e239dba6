/**
 * The canonical snapshot: what a guest saw and agreed to, stored at signing (specification,
 * "Certificate"; design "Guest's evidence"). Its RFC 8785 text is stored, and its SHA-256 is the
 * certificate's `content_hash`. The snapshot is built before the guest signs, because the page
 * posts the hash of what it displayed. It therefore contains nothing that is known only after
 * signing. It contains the arrival notes that the guest saw before signing, but never a code or a
 * password. For other arrival groups, it contains only their names and when each is released.
 */
import { z } from 'zod';
import { sha256Hex, toCanonicalJson } from '@/shared/canonical-json';
import { ACCEPTANCE_STATEMENT_NAMES } from '@/shared/guest-text/acceptances';
import {
  describeFeeTiming,
  getFeeApplicability,
  getFeeUnitLabel,
  getRuleCategoryLabel,
} from '@/shared/guest-text/labels';
import { parseLocale } from '@/shared/guest-text/locale';
import { listSenderDetailsInDisplayOrder, type SenderDetails } from '@/shared/guest-text/sender';
import { getGuestTranslator } from '@/shared/guest-text/translate';

export const ARRIVAL_DETAIL_GROUPS = ['wifi', 'door_code', 'checkin_notes', 'parking_notes'] as const;
export type ArrivalDetailGroup = (typeof ARRIVAL_DETAIL_GROUPS)[number];

const releaseSchema = z.enum(['before_signing', 'after_signing', 'manual']);
export type ArrivalReleaseTiming = z.infer<typeof releaseSchema>;

const isoDay = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

const snapshotRuleSchema = z.strictObject({
  id: z.string(),
  text: z.string(),
  category: z.string().nullable(),
  heading: z.string().meta({ description: 'The category in the words the guest was shown.' }),
});

const snapshotFeeSchema = z.strictObject({
  id: z.string(),
  label: z.string(),
  amount_cents: z.int().nonnegative(),
  unit: z.string().nullable(),
  description: z.string().nullable(),
  type: z.string().nullable(),
  heading: z.string().meta({ description: 'What the guest was shown above it.' }),
  unit_label: z.string().nullable().meta({ description: 'The unit in the words the guest was shown.' }),
  when: z.string().nullable().meta({ description: 'When it applies, in the words the guest was shown.' }),
});

const snapshotNoteSchema = z.strictObject({
  group: z.enum(['checkin_notes', 'parking_notes']),
  heading: z.string(),
  text: z.string(),
});

const statementSchema = z.strictObject({
  version: z.string().min(1).meta({ description: 'The version of the wording, `2025-01`.' }),
  locale: z.string().min(2),
  text: z.string().min(1),
});

const senderSchema = z.strictObject({
  legal_name: z.string().nullable(),
  postal_address: z.string().nullable(),
  contact_email: z.string().nullable(),
  team_name: z
    .string()
    .optional()
    .meta({ description: 'The host’s name in the product, when no legal name is given.' }),
});

const acceptanceSchema = z.strictObject({ name: z.enum(ACCEPTANCE_STATEMENT_NAMES), ...statementSchema.shape });

/**
 * The fields of a snapshot. A new field must be optional and needs a new version, because stored
 * hashes must remain recomputable.
 */
export const agreementSnapshotSchema = z.strictObject({
  version: z.literal(1),
  locale: z.string().min(2).meta({ description: 'The language the guest was shown, BCP 47.' }),
  property: z.strictObject({
    id: z.string(),
    name: z.string(),
    address: z.string().nullable(),
    timezone: z.string().nullable(),
  }),
  sender: senderSchema.nullable().meta({
    description: 'Who stands behind the property; null when it is not told.',
  }),
  reservation: z.strictObject({
    id: z.string(),
    guest_name: z.string(),
    guest_email: z.string().nullable(),
    checkin_date: isoDay,
    checkout_date: isoDay,
    source: z.string(),
    external_id: z.string().nullable().meta({ description: 'The booking’s reference at its source.' }),
  }),
  packet: z.strictObject({
    id: z.string(),
    name: z.string(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    welcome_message: z.string().nullable(),
    rules: z.array(snapshotRuleSchema),
    fees: z.array(snapshotFeeSchema),
    safety_notes: z.string().nullable(),
    arrival_release: z.partialRecord(z.enum(ARRIVAL_DETAIL_GROUPS), releaseSchema),
    notes: z.array(snapshotNoteSchema).meta({ description: 'Arrival notes shown before signing.' }),
  }),
  consent: statementSchema,
  acknowledgement: z.strictObject({
    ...statementSchema.shape,
    photo_required: z.boolean(),
  }),
  acceptances: z.array(acceptanceSchema).meta({
    description: 'What the guest accepted one by one, each with its own tick.',
  }),
});

export type AgreementSnapshot = z.infer<typeof agreementSnapshotSchema>;
export type AgreementSnapshotRule = z.infer<typeof snapshotRuleSchema>;
export type AgreementSnapshotFee = z.infer<typeof snapshotFeeSchema>;
export type AgreementSnapshotArrivalNote = z.infer<typeof snapshotNoteSchema>;
/** A versioned sentence that the guest agreed to, in the language that the guest saw. */
export type ConsentStatement = z.infer<typeof statementSchema>;
/** A statement that the guest accepts separately because the host asks for it. */
export type AcceptanceStatement = z.infer<typeof acceptanceSchema>;

export interface AgreementSnapshotInput {
  locale: string;
  property: { id: string; name: string; address?: string | null; timezone?: string | null };
  sender?: SenderDetails | null;
  reservation: {
    id: string;
    guest_name: string;
    /** Null when no address is stored. Never the `@guest.invalid` placeholder. */
    guest_email?: string | null;
    /** Calendar days, `2026-03-01`. */
    checkin_date: string;
    checkout_date: string;
    source: string;
    external_id?: string | null;
  };
  packet: {
    id: string;
    name: string;
    /** ISO 4217. */
    currency: string;
    welcome_message?: string | null;
    rules: readonly { id: string; text: string; category?: string | null }[];
    fees: readonly {
      id: string;
      label: string;
      amount_cents: number;
      unit?: string | null;
      description?: string | null;
      type?: string | null;
    }[];
    safety_notes?: string | null;
    /** Determines which groups have content. The content itself is not copied. */
    arrival_details?: Partial<Record<ArrivalDetailGroup, unknown>> | null;
    arrival_release?: Partial<Record<ArrivalDetailGroup, string>> | null;
    /** The notes that this guest sees now, as displayed. */
    visible_notes?: readonly Pick<AgreementSnapshotArrivalNote, 'group' | 'text'>[];
  };
  /** The consent to sign electronically. */
  consent: ConsentStatement;
  /** The statement that the guest signs: that the rules and fees were read and are accepted. */
  acknowledgement: ConsentStatement & { photo_required: boolean };
  /** Statements that the guest accepts separately from the acknowledgement. */
  acceptances?: readonly AcceptanceStatement[];
  /**
   * Fills in short codes (`{{guest_name}}`), so that the snapshot contains the text that the guest
   * read.
   */
  fill_text?: (text: string) => string;
}

/**
 * Returns whether an arrival group has content: a text that is not blank, or an object with such a
 * text.
 */
export function isArrivalDetailGroupPopulated(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (value !== null && typeof value === 'object') return Object.values(value).some(isArrivalDetailGroupPopulated);
  return false;
}

/**
 * Builds the snapshot of what this guest sees. Copies only named fields, so that a new column of a
 * table cannot leak into evidence. Adds the labels shown for codes, and validates the result.
 * Throws a ZodError for an invalid value.
 */
export function buildAgreementSnapshot(source: AgreementSnapshotInput): AgreementSnapshot {
  const { property, reservation, packet, consent, acknowledgement } = source;
  const fill = source.fill_text ?? ((text: string) => text);
  const t = getGuestTranslator(parseLocale(source.locale) ?? 'en');
  const fillOrNull = (text: string | null | undefined) => (text ? fill(text) : null);

  const arrival_release: Partial<Record<ArrivalDetailGroup, ArrivalReleaseTiming>> = {};
  for (const group of ARRIVAL_DETAIL_GROUPS) {
    if (!isArrivalDetailGroupPopulated(packet.arrival_details?.[group])) continue;
    arrival_release[group] = releaseSchema.parse(packet.arrival_release?.[group] ?? 'before_signing');
  }

  return agreementSnapshotSchema.parse({
    version: 1,
    locale: source.locale,
    property: {
      id: property.id,
      name: property.name,
      address: property.address ?? null,
      timezone: property.timezone ?? null,
    },
    sender: senderOf(source.sender),
    reservation: {
      id: reservation.id,
      guest_name: reservation.guest_name,
      guest_email: reservation.guest_email ?? null,
      checkin_date: reservation.checkin_date,
      checkout_date: reservation.checkout_date,
      source: reservation.source,
      external_id: reservation.external_id ?? null,
    },
    packet: {
      id: packet.id,
      name: packet.name,
      currency: packet.currency,
      welcome_message: fillOrNull(packet.welcome_message),
      rules: packet.rules.map((rule) => ({
        id: rule.id,
        text: fill(rule.text),
        category: rule.category ?? null,
        heading: getRuleCategoryLabel(rule.category ?? null, t),
      })),
      fees: packet.fees.map((fee) => ({
        id: fee.id,
        label: fill(fee.label),
        amount_cents: fee.amount_cents,
        unit: fee.unit ?? null,
        description: fillOrNull(fee.description),
        type: fee.type ?? null,
        heading: t(`fees.${getFeeApplicability(fee.type ?? null)}`),
        unit_label: getFeeUnitLabel(fee.unit ?? null, t),
        when: describeFeeTiming({ type: fee.type ?? null }, t),
      })),
      safety_notes: fillOrNull(packet.safety_notes),
      arrival_release,
      notes: (packet.visible_notes ?? []).map(({ group, text }) => ({ group, heading: t(`arrival.${group}`), text })),
    },
    consent: { version: consent.version, locale: consent.locale, text: consent.text },
    acknowledgement: {
      version: acknowledgement.version,
      locale: acknowledgement.locale,
      text: acknowledgement.text,
      photo_required: acknowledgement.photo_required,
    },
    acceptances: (source.acceptances ?? []).map(({ name, version, locale, text }) => ({ name, version, locale, text })),
  });
}

/**
 * Returns the sender. The team's name is included only if there is no legal name, because a renamed
 * team must not change the snapshot.
 */
function senderOf(sender: SenderDetails | null | undefined): z.infer<typeof senderSchema> | null {
  if (!sender || listSenderDetailsInDisplayOrder(sender).length === 0) return null;
  const { legal_name, postal_address, contact_email, team_name } = sender;
  return { legal_name, postal_address, contact_email, ...(!legal_name && team_name && { team_name }) };
}

/** Returns the RFC 8785 text of a snapshot, which is stored, attached to the PDF and hashed. */
export function toCanonicalSnapshotText(snapshot: AgreementSnapshot): string {
  return toCanonicalJson(snapshot);
}

/** Returns the `content_hash`: lower-case hex SHA-256 of the canonical text's UTF-8 bytes. */
export function hashAgreementSnapshot(snapshot: AgreementSnapshot): string {
  return sha256Hex(toCanonicalSnapshotText(snapshot));
}
