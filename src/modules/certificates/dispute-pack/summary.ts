/**
 * The pack's summary, in the order that card networks require: the guest, the disclosed terms,
 * their acceptance, their delivery, the guest's authentication, and the use of the service. It is
 * in English, like the networks' forms. Pure.
 */
import { SIGNING_LINK_MAIL_TEMPLATES } from '@/modules/mail/rules/delivery.rules';
import type { AgreementSnapshot } from '@/modules/snapshot/snapshot';
import type { ChainedTrailEntry } from '@/modules/trail/chain';
import { formatSenderLine } from '@/shared/guest-text/sender';
import { formatMoney, formatUtc } from '../document/format';
import type { HostCertificate } from '../host.schemas';
import type { EvidenceVerificationStatus } from '../schemas';

/** A mail to the guest, as listed in the pack. */
export interface DisputePackMail {
  id: string;
  template: string;
  to: string;
  from: string;
  subject: string;
  /** `captured` means that the mail was not delivered, in test mode or without a provider. */
  status: string;
  provider_id: string | null;
  attempts: number;
  last_error: string | null;
  created_at: string;
  sent_at: string | null;
  opened_at: string | null;
  /** The provider's later delivery reports, from the trail. */
  outcomes: { type: string; at: string }[];
}

export interface DisputePackData {
  certificate: Omit<HostCertificate, 'evidence' | 'audit_trail' | 'trail_actors'>;
  livemode: boolean;
  /** The snapshot that the guest signed. Null after a redaction. */
  snapshot: AgreementSnapshot | null;
  entries: readonly ChainedTrailEntry[];
  /** The sealed entries of the trail, or all entries when there is no sealed file. */
  sealed_entries: readonly ChainedTrailEntry[];
  evidence: { status: EvidenceVerificationStatus; altered: readonly string[] };
  mails: readonly DisputePackMail[];
  /**
   * The position in the public log, counted from 1. Null when the certificate is not in the log.
   */
  log_number: number | null;
  /** The host's current booking records. They are not sealed. */
  booking: { channel: string; checkin_date: string; checkout_date: string } | null;
}

export interface DisputePackSummary {
  certificate_id: string;
  /** Warnings, shown above everything else. */
  notices: string[];
  sections: { title: string; facts: { label: string; value: string; mono?: boolean }[] }[];
}

type Section = DisputePackSummary['sections'][number];

/** Limits that keep the summary on one page. */
const MAX_LENGTH = 200;
const MAX_FEES = 6;
const MAX_MAILS = 4;
const MAX_FIELDS = 12;
const shorten = (text: string) =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : text;

/** Returns the warning to show first, or null when no warning is needed. */
export function describeEvidenceProblem({ status, altered }: DisputePackData['evidence']): string | null {
  const more = altered.length > MAX_FIELDS ? ` and ${altered.length - MAX_FIELDS} more` : '';
  const fields = `${altered.slice(0, MAX_FIELDS).join(', ')}${more}`;
  if (status === 'altered')
    return `Warning: stored data of this certificate was changed after it was sealed. Changed: ${fields}. The values from the certificate below are those of the sealed file.`;
  if (status === 'unverified')
    return `Warning: this certificate could not be verified, and nothing in this archive is proven by it. What does not hold: ${fields}.`;
  return null;
}

export function buildDisputeSummary(facts: DisputePackData): DisputePackSummary {
  const { certificate, livemode, evidence } = facts;
  const warning = describeEvidenceProblem(evidence);
  const notices = [
    ...(warning ? [warning] : []),
    ...(livemode ? [] : ['Made in test mode: this is no evidence.']),
    ...(certificate.redacted_at
      ? [
          `The guest’s personal data, and the sealed PDF with it, were erased on ${formatUtc(certificate.redacted_at)}. What remains: when it was signed, the hashes, and the links of the audit trail.`,
        ]
      : []),
  ];
  const all = [who(facts), disclosed(facts), accepted(facts), delivered(facts), authenticated(facts), used(facts)];
  // Without a valid seal, the summary shows no values.
  const sections = evidence.status === 'unverified' ? [] : all;
  return {
    certificate_id: certificate.id,
    notices,
    sections: sections.map(({ title, facts: rows }) => ({
      title,
      facts: rows.map((row) => ({ ...row, value: shorten(row.value) })),
    })),
  };
}

/** Builds a section. Omits rows without a value. */
function section(title: string, rows: [label: string, value: string | null | undefined, mono?: 'mono'][]): Section {
  return {
    title,
    facts: rows.flatMap(([label, value, mono]) => (value ? [{ label, value, ...(mono && { mono: true }) }] : [])),
  };
}

const latest = (entries: readonly ChainedTrailEntry[], type: string) =>
  entries.findLast((entry) => entry.type === type);
const timeOf = (entries: readonly ChainedTrailEntry[], type: string) => {
  const entry = latest(entries, type);
  return entry ? formatUtc(entry.created_at) : null;
};

function who(facts: DisputePackData): Section {
  const { certificate, snapshot, booking } = facts;
  const stay = snapshot?.reservation ?? booking;
  const code = snapshot?.reservation.external_id;
  const channel = snapshot?.reservation.source ?? booking?.channel ?? 'unknown';
  return section('1. Who', [
    ['Guest, as signed', certificate.signer_name],
    ['Guest, as booked', snapshot?.reservation.guest_name],
    ['E-mail', certificate.signer_email],
    ['Host', formatSenderLine(snapshot?.sender)],
    ['Property', snapshot && [snapshot.property.name, snapshot.property.address].filter(Boolean).join(', ')],
    ['Stay', stay && `${stay.checkin_date} to ${stay.checkout_date}`],
    ['Booking reference', code ? `${code} (${channel})` : `none in the sealed file (${channel})`],
    ['Reservation', certificate.reservation_id, 'mono'],
  ]);
}

function disclosed({ snapshot, certificate }: DisputePackData): Section {
  if (!snapshot)
    return section('2. What was disclosed before the stay', [
      ['Content hash, salted', certificate.content_hash, 'mono'],
    ]);
  const { rules, fees, currency, name } = snapshot.packet;
  const amounts = fees
    .slice(0, MAX_FEES)
    .map((fee) => `${fee.label} ${formatMoney(fee.amount_cents, currency, 'en')}${fee.unit ? ` ${fee.unit}` : ''}`);
  const more = fees.length > MAX_FEES ? [`and ${fees.length - MAX_FEES} more`] : [];
  return section('2. What was disclosed before the stay', [
    ['Packet', `${name}: ${rules.length} house rules, ${fees.length} fees; word for word in certificate.pdf`],
    ['Fees', [...amounts, ...more].join('; ')],
    ['Amount of the booking', 'not known here: add it from the booking or the payment'],
    ['Content hash (SHA-256)', certificate.content_hash, 'mono'],
  ]);
}

function accepted(facts: DisputePackData): Section {
  const { certificate, snapshot } = facts;
  return section('3. When it was accepted', [
    ['Signed', formatUtc(certificate.signed_at)],
    ['Consent to sign electronically', timeOf(facts.sealed_entries, 'consent.given')],
    ['Statement accepted', snapshot?.acknowledgement.text],
    ...separateAcceptances(facts),
  ]);
}

/** Returns each clause that the guest accepted separately, with the time of acceptance. */
function separateAcceptances({ snapshot, sealed_entries }: DisputePackData): [string, string][] {
  const given = sealed_entries.filter(({ type }) => type === 'acceptance.given');
  return (snapshot?.acceptances ?? []).map(({ name, text }) => {
    const entry = given.find(({ data }) => data.acceptance === name);
    return [`Accepted separately${entry ? `, ${formatUtc(entry.created_at)}` : ''}`, text];
  });
}

/** This text is appended to facts that are not part of the sealed file. */
const NOT_SEALED = ' (records of this installation, not sealed)';

const OUTCOME_LABELS: Record<string, string> = {
  'mail.delivered': 'delivered',
  'mail.bounced': 'bounced',
  'mail.complained': 'marked as spam',
  'mail.suppressed': 'not sent',
  'mail.failed': 'failed',
};

function delivered(facts: DisputePackData): Section {
  const mails = facts.mails.slice(-MAX_MAILS).map((mail): [string, string] => {
    const parts = [
      mail.sent_at ? `sent ${formatUtc(mail.sent_at)}` : mail.status,
      ...mail.outcomes.slice(-2).map(({ type, at }) => `${OUTCOME_LABELS[type] ?? type} ${formatUtc(at)}`),
      ...(mail.opened_at ? [`opened ${formatUtc(mail.opened_at)}`] : []),
    ];
    return [TEMPLATE_LABELS[mail.template] ?? mail.template, `${parts.join(', ')} · to ${mail.to}`];
  });
  return section(`4. How it was delivered${NOT_SEALED}`, [
    ...mails,
    ['Page seen by the guest', timeOf(facts.entries, 'reservation.clicked')],
  ]);
}

const TEMPLATE_LABELS: Record<string, string> = {
  packet: 'Mail with the link',
  reminder_24h: 'Reminder, 24 hours',
  reminder_2h: 'Reminder, 2 hours',
  one_time_code: 'One-time code',
  signed_copy: 'Signed copy',
};

function authenticated(facts: DisputePackData): Section {
  const { certificate } = facts;
  const data = latest(facts.sealed_entries, 'reservation.signed')?.data ?? {};
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const confirmed = text(data.email_code_confirmed_at);
  const mailed = facts.mails.some(
    ({ template, sent_at }) => sent_at !== null && SIGNING_LINK_MAIL_TEMPLATES.some((one) => one === template),
  );
  const code = confirmed
    ? `code to ${text(data.email_code_sent_to) ?? 'the address'} entered ${formatUtc(confirmed)}`
    : certificate.otp_confirmed
      ? 'one-time code entered'
      : mailed
        ? 'personal link, by the mail log sent to that address'
        : 'not confirmed: no mail brought the link';
  return section('5. How the guest was authenticated', [
    ['E-mail address', code],
    ['IP address', certificate.signed_ip],
    ['Device', certificate.user_agent],
    ['Photo at signing (SHA-256)', text(data.photo_sha256) ?? (certificate.has_photo ? 'taken' : null), 'mono'],
    ['Drawn signature (SHA-256)', text(data.drawn_signature_sha256), 'mono'],
    ['Sealed', certificate.sealed_at && formatUtc(certificate.sealed_at)],
    ['Sealed file (SHA-256)', certificate.pdf_sha256, 'mono'],
    ['Public log', facts.log_number === null ? null : `entry ${facts.log_number}`],
    ['Verify', certificate.redacted_at ? null : certificate.verify_url, 'mono'],
  ]);
}

function used(facts: DisputePackData): Section {
  const count = (type: string) => facts.entries.filter((entry) => entry.type === type).length;
  const times = (type: string) => {
    const at = timeOf(facts.entries, type);
    const times_recorded = count(type);
    return at && (times_recorded > 1 ? `${times_recorded} times, last ${at}` : at);
  };
  const none = 'not recorded';
  return section(`6. Use of the service${NOT_SEALED}`, [
    ['Arrival details released', timeOf(facts.entries, 'reservation.arrival_details_released') ?? none],
    ['Arrival details viewed', times('reservation.arrival_details_viewed') ?? none],
    ['Signed copy opened', times('copy.opened') ?? none],
  ]);
}
