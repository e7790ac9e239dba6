/** Extracts the facts of a reservation from a parsed mail: channel, intent, guest and dates. */

import { findLanguageOfPhoneNumbersInText } from '@/shared/guest-text/phone-language';
import { foldCaseAndAccents, splitWords } from '@/shared/text/phrases';
import { findEmailAddressesInText } from '../addresses';
import { isSameOrSubdomain } from '../authentication.rules';
import { parseStayDates, type StayDatesInMail, type StayParseResult } from '../dates/stay';
import { getDateLanguageFromTag } from '../dates/words';
import { isReservationActionInMailCertain } from '../intent/conclusive';
import {
  BOOKING_CANCELLATION_PHRASES,
  BOOKING_CHANGE_PHRASES,
  BOOKING_CONFIRMATION_PHRASES,
  NEW_BOOKING_PHRASES,
} from '../intent/phrases';
import { isBookingRequestBody, isBookingRequestSubject } from '../intent/request';
import { removeNamesAndQuotedText } from '../intent/subject';
import type { ForwardedMailContent } from '../parse-forwarded';
import {
  extractBookingFieldsFromChannelAMail,
  extractBookingFieldsFromChannelBMail,
  extractBookingFieldsFromChannelCMail,
} from './channels';
import { extractFieldsByLabel, stripGuestCountFromName } from './generic';
import { getLabelledFieldValues, parseLabelledMail } from './labels';
import type {
  BookingChannel,
  ChannelMailDomains,
  LabelledMailBody,
  MailFieldExtractor,
  RawBookingFieldsFromMail,
} from './types';

/**
 * What the mail is about. Only a confirmation can create a reservation without a host's decision.
 */
export type MailIntent = 'confirmation' | 'cancellation' | 'change' | 'other';

export interface ReservationExtractionResult {
  readonly channel: BookingChannel | null;
  readonly intent: MailIntent;
  readonly guest_name: string | null;
  /** The guest's address, in lower case. */
  readonly guest_email: string | null;
  /**
   * Whether the guest's address is a relay address of the channel, which may stop working after the
   * stay.
   */
  readonly relay_address: boolean;
  readonly checkin_date: string | null;
  /** Null when the mail has no check-out date. */
  readonly checkout_date: string | null;
  readonly reservation_code: string | null;
  /**
   * Whether the mail contains several reservation codes. The guest may have written one of them, so
   * it is uncertain which booking the mail is about.
   */
  readonly codes_differ: boolean;
  /**
   * Whether the mail reports a completed cancellation or change of one booking
   * (intent/conclusive.ts).
   */
  readonly conclusive: boolean;
  /**
   * The guest's language as a BCP 47 tag. Guessed from the country of the phone number, or else
   * from the mail's language.
   */
  readonly guest_language: string | null;
  /** Whether the dates can be interpreted in several ways, or contradict each other. */
  readonly ambiguous_dates: boolean;
  /** The possible interpretations of the dates, for the host to choose from. */
  readonly readings: readonly StayDatesInMail[];
  /** Whether the mail contains the guest's name and both dates. */
  readonly complete: boolean;
}

const EXTRACTORS: Readonly<Record<BookingChannel, MailFieldExtractor>> = {
  channel_a: extractBookingFieldsFromChannelAMail,
  channel_b: extractBookingFieldsFromChannelBMail,
  channel_c: extractBookingFieldsFromChannelCMail,
};

/**
 * Extracts the facts from the mail's text part or HTML part, whichever has more of them. If the two
 * parts have different stays, the host chooses.
 */
export function extractReservationFromMail(
  mail: ForwardedMailContent,
  domains: ChannelMailDomains,
): ReservationExtractionResult {
  const readings = (mail.texts.length > 0 ? mail.texts : ['']).map(
    (text): LabelledMailBody => ({ mail, text, labels: parseLabelledMail(text) }),
  );
  const channel = channelOf(mail, readings, domains);
  const extractor = channel ? EXTRACTORS[channel] : extractFieldsByLabel;
  const raws = readings.map((reading) => ({ reading, raw: extractor(reading) }));
  const codes = raws.flatMap(({ raw }) => raw.codes);
  const results = raws.map(({ reading, raw }) => settle(reading, raw, codes, channel, domains));
  const best = results.sort((a, b) => worth(b) - worth(a))[0]!;
  const stays = results.filter(({ checkout_date }) => checkout_date !== null);
  const differ = stays.some((other) => keyOf(other) !== keyOf(best));
  return differ ? { ...best, ...ASKED, readings: stays.map(stayOf) } : best;
}

const keyOf = ({ checkin_date, checkout_date }: Pick<ReservationExtractionResult, 'checkin_date' | 'checkout_date'>) =>
  `${checkin_date}/${checkout_date}`;
const stayOf = ({ checkin_date, checkout_date }: ReservationExtractionResult): StayDatesInMail => ({
  checkin_date: checkin_date!,
  checkout_date,
});
const ASKED = { checkin_date: null, checkout_date: null, ambiguous_dates: true, complete: false } as const;

const MOST_READINGS = 6;
/**
 * The maximum number of different values of one field. A mail with more values describes several
 * stays.
 */
const MOST_DAYS = 10;

const CHANNELS: readonly BookingChannel[] = ['channel_a', 'channel_b', 'channel_c'];

/**
 * Returns the channel to which the original sender's domain belongs. For other senders, returns the
 * channel that a "Channel:" line in the mail names.
 */
function channelOf(
  mail: ForwardedMailContent,
  readings: readonly LabelledMailBody[],
  domains: ChannelMailDomains,
): BookingChannel | null {
  const from = mail.from?.address.split('@').at(-1) ?? '';
  const sender = CHANNELS.find((channel) => domains[channel].some((domain) => isSameOrSubdomain(from, domain)));
  if (sender) return sender;
  const written = readings.flatMap(({ labels }) => getLabelledFieldValues(labels, 'channel'));
  return (
    CHANNELS.find((channel) => written.some((value) => value.toLowerCase().replace(/[\s-]+/g, '_') === channel)) ?? null
  );
}

function settle(
  reading: LabelledMailBody,
  raw: RawBookingFieldsFromMail,
  codes: readonly string[],
  channel: BookingChannel | null,
  domains: ChannelMailDomains,
): ReservationExtractionResult {
  const subject = subjectIn(reading, raw);
  const intent = intentOf(reading, subject, channel, raw);
  const { texts, subject: whole_subject } = reading.mail;
  const { reservation_code } = raw;
  const codes_differ = codes.some((code) => code !== reservation_code);
  const is_certain =
    !codes_differ && isReservationActionInMailCertain({ subject, whole_subject, texts, reservation_code });
  const conclusive =
    intent === 'cancellation' ? is_certain : intent === 'change' && is_certain && !namesSeveralStays(reading);
  const read = stayIn(raw, reading);
  const stay = read.kind === 'read' ? read.stay : null;
  const guest_email = addressIn(raw.guest_email);
  const guest_name = raw.guest_name?.replace(/\s+/g, ' ').trim().slice(0, 120) || null;
  const address_domain = guest_email?.split('@').at(-1) ?? '';
  return {
    channel,
    intent,
    guest_name,
    guest_email,
    relay_address: CHANNELS.some((name) => domains[name].some((domain) => isSameOrSubdomain(address_domain, domain))),
    checkin_date: stay?.checkin_date ?? null,
    checkout_date: stay?.checkout_date ?? null,
    reservation_code,
    codes_differ,
    conclusive,
    guest_language: findLanguageOfPhoneNumbersInText(reading.text) ?? writtenIn(reading),
    ambiguous_dates: read.kind === 'open',
    readings: read.kind === 'open' ? read.readings.slice(0, MOST_READINGS) : [],
    complete: Boolean(guest_name && stay?.checkout_date),
  };
}

/** Returns the mail's declared language, or the language of its labels if only one is possible. */
function writtenIn({ mail, labels: { languages } }: LabelledMailBody): string | null {
  const tagged = getDateLanguageFromTag(mail.language);
  if (tagged && (languages.length === 0 || languages.includes(tagged))) return mail.language;
  return languages.length === 1 ? (languages[0] ?? null) : null;
}

/**
 * Returns whether the mail describes several stays, for example the dates before and after a
 * change, or dates that the guest wishes for.
 */
function namesSeveralStays(reading: LabelledMailBody): boolean {
  return (['dates', 'checkin', 'checkout'] as const).some((field) => {
    const values = [...new Set(getLabelledFieldValues(reading.labels, field))];
    const days = values.slice(0, MOST_DAYS).flatMap((value) => {
      const written = field === 'dates' ? { range: value } : { checkin: value };
      const read = stayIn({ checkin: null, checkout: null, range: null, ...written }, reading);
      return read.kind === 'read' ? [keyOf(read.stay)] : [];
    });
    return values.length > MOST_DAYS || new Set(days).size > 1;
  });
}

type WrittenDays = Pick<RawBookingFieldsFromMail, 'checkin' | 'checkout' | 'range'>;

function stayIn({ checkin, checkout, range }: WrittenDays, { mail, labels }: LabelledMailBody): StayParseResult {
  const tagged = getDateLanguageFromTag(mail.language);
  const languages = tagged ? [...new Set([...labels.languages, tagged])] : labels.languages;
  const written =
    range !== null && (checkin === null || checkout === null)
      ? { checkin: null, checkout: null, range }
      : { checkin, checkout, range: null };
  return parseStayDates(written, {
    languages,
    tag: mail.language,
    reference: mail.date?.slice(0, 10) ?? null,
    exact: mail.dated === 'written',
  });
}

/**
 * Classifies a mail by the channel's words in its subject, without the guest's name. A complete
 * form counts as a confirmation. Requests, inquiries, reminders, reviews, payouts and newsletters
 * are `other`.
 */
function intentOf(
  { mail }: LabelledMailBody,
  subject: string,
  channel: BookingChannel | null,
  raw: RawBookingFieldsFromMail,
): MailIntent {
  const folded = foldCaseAndAccents(subject);
  const words = splitWords(folded);
  if (BOOKING_CANCELLATION_PHRASES.isIn(folded, words)) return 'cancellation';
  if (BOOKING_CHANGE_PHRASES.isIn(folded, words)) return 'change';
  if (isBookingRequestSubject(subject)) return 'other';
  const confirmed = BOOKING_CONFIRMATION_PHRASES.isIn(folded, words);
  // All texts of the mail are checked, because a booking request may be in a text with few facts.
  // The check is skipped when the channel's subject confirms the booking. A sentence that looks
  // like a request was then written by the guest.
  if (!(confirmed && channel !== null) && mail.texts.some(isBookingRequestBody)) return 'other';
  if (confirmed || NEW_BOOKING_PHRASES.isIn(folded, words)) return isOfSomebody(raw) ? 'confirmation' : 'other';
  return channel === null && raw.guest_name && raw.checkin && raw.checkout ? 'confirmation' : 'other';
}

function subjectIn({ mail, labels }: LabelledMailBody, { guest_name }: RawBookingFieldsFromMail): string {
  const named = [
    ...getLabelledFieldValues(labels, 'guest_name').map(stripGuestCountFromName),
    ...getLabelledFieldValues(labels, 'property'),
  ];
  return removeNamesAndQuotedText(mail.subject, [...(guest_name ? [guest_name] : []), ...named]);
}

/**
 * Returns whether the mail contains any fact about a booking. Newsletters that promise confirmed
 * bookings contain none.
 */
const isOfSomebody = ({ guest_name, checkin, checkout, range, reservation_code }: RawBookingFieldsFromMail) =>
  [guest_name, checkin, checkout, range, reservation_code].some((fact) => fact !== null);

const worth = (found: ReservationExtractionResult) =>
  Number(found.checkin_date !== null) * 4 +
  Number(found.checkout_date !== null) * 4 +
  Number(found.guest_name !== null) * 2 +
  Number(found.guest_email !== null) +
  Number(found.reservation_code !== null);

function addressIn(text: string | null): string | null {
  const address = findEmailAddressesInText(text ?? '').find((found) => /\.[A-Za-z]{2,24}$/.test(found));
  return address && address.length <= 254 ? address.toLowerCase() : null;
}
