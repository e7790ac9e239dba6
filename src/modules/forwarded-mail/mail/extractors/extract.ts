/** From a parsed mail to a reservation's facts: whose mail it is, what it is about, and what each reading of it gives. */

import { languageOfPhones } from '@/shared/guest-text/phone-language';
import { foldText, wordsOf } from '@/shared/text/phrases';
import { addressesIn } from '../addresses';
import { isWithin } from '../authentication.rules';
import { type ReadStay, readStay, type Stay } from '../dates/stay';
import { languageOf } from '../dates/words';
import { CANCELLATION, CHANGE, CONFIRMED, NEW_BOOKING } from '../intent/phrases';
import { bodyAsks, subjectAsks } from '../intent/request';
import { ownSubject } from '../intent/subject';
import type { MailContent } from '../parse-forwarded';
import { extractChannelA } from './channel-a';
import { extractChannelB } from './channel-b';
import { extractChannelC } from './channel-c';
import { extractGeneric, withoutParty } from './generic';
import { readLabels, valuesOf } from './labels';
import type { Channel, ChannelDomains, Extractor, RawFields, Reading } from './types';

/** What the mail tells. Only a confirmation may become a reservation by itself. */
export type MailIntent = 'confirmation' | 'cancellation' | 'change' | 'other';

export interface Extraction {
  readonly channel: Channel | null;
  readonly intent: MailIntent;
  readonly guest_name: string | null;
  /** Lower case. */
  readonly guest_email: string | null;
  /** The address is the channel's, which passes mail on and may die after the stay. */
  readonly relay_address: boolean;
  readonly checkin_date: string | null;
  /** Null beside a check-in where the mail names no day of departure. */
  readonly checkout_date: string | null;
  readonly reservation_code: string | null;
  /** A guess at the guest's language, a BCP 47 tag: the country of the phone number, else what the mail is written in. */
  readonly guest_language: string | null;
  /** Dates were there that can be read in several ways, or in none that agrees with itself. */
  readonly ambiguous_dates: boolean;
  /** Those ways, for the host to choose from. */
  readonly readings: readonly Stay[];
  /** Name and both days are there. */
  readonly complete: boolean;
}

const EXTRACTORS: Readonly<Record<Channel, Extractor>> = {
  channel_a: extractChannelA,
  channel_b: extractChannelB,
  channel_c: extractChannelC,
};

/**
 * Reads a mail's reservation. Of its text and its HTML the one that gives most is used; where they name different stays the
 * host is asked.
 */
export function extractReservation(mail: MailContent, domains: ChannelDomains): Extraction {
  const readings = (mail.texts.length > 0 ? mail.texts : ['']).map(
    (text): Reading => ({ mail, text, labels: readLabels(text) }),
  );
  const channel = channelOf(mail, readings, domains);
  const extractor = channel ? EXTRACTORS[channel] : extractGeneric;
  const results = readings.map((reading) => settle(reading, extractor(reading), channel, domains));
  const best = results.sort((a, b) => worth(b) - worth(a))[0]!;
  const stays = results.filter(({ checkout_date }) => checkout_date !== null);
  const differ = stays.some((other) => keyOf(other) !== keyOf(best));
  return differ ? { ...best, ...ASKED, readings: stays.map(stayOf) } : best;
}

const keyOf = ({ checkin_date, checkout_date }: Extraction) => `${checkin_date}/${checkout_date}`;
const stayOf = ({ checkin_date, checkout_date }: Extraction): Stay => ({ checkin_date: checkin_date!, checkout_date });
const ASKED = { checkin_date: null, checkout_date: null, ambiguous_dates: true, complete: false } as const;

const MOST_READINGS = 6;

const CHANNELS: readonly Channel[] = ['channel_a', 'channel_b', 'channel_c'];

/** By the original's sender; else by a form's own "Channel:" line. */
function channelOf(mail: MailContent, readings: readonly Reading[], domains: ChannelDomains): Channel | null {
  const from = mail.from?.address.split('@').at(-1) ?? '';
  const sender = CHANNELS.find((channel) => domains[channel].some((domain) => isWithin(from, domain)));
  if (sender) return sender;
  const written = readings.flatMap(({ labels }) => valuesOf(labels, 'channel'));
  return (
    CHANNELS.find((channel) => written.some((value) => value.toLowerCase().replace(/[\s-]+/g, '_') === channel)) ?? null
  );
}

function settle(reading: Reading, raw: RawFields, channel: Channel | null, domains: ChannelDomains): Extraction {
  const read = stayIn(raw, reading);
  const stay = read.kind === 'read' ? read.stay : null;
  const guest_email = addressIn(raw.guest_email);
  const guest_name = raw.guest_name?.replace(/\s+/g, ' ').trim().slice(0, 120) || null;
  const address_domain = guest_email?.split('@').at(-1) ?? '';
  return {
    channel,
    intent: intentOf(reading, channel, raw),
    guest_name,
    guest_email,
    relay_address: CHANNELS.some((name) => domains[name].some((domain) => isWithin(address_domain, domain))),
    checkin_date: stay?.checkin_date ?? null,
    checkout_date: stay?.checkout_date ?? null,
    reservation_code: raw.reservation_code,
    guest_language: languageOfPhones(reading.text) ?? writtenIn(reading),
    ambiguous_dates: read.kind === 'open',
    readings: read.kind === 'open' ? read.readings.slice(0, MOST_READINGS) : [],
    complete: Boolean(guest_name && stay?.checkout_date),
  };
}

/** What a mail says of its language, or what the labels of its facts are written in, where that is one language. */
function writtenIn({ mail, labels: { languages } }: Reading): string | null {
  const tagged = languageOf(mail.language);
  if (tagged && (languages.length === 0 || languages.includes(tagged))) return mail.language;
  return languages.length === 1 ? (languages[0] ?? null) : null;
}

function stayIn({ checkin, checkout, range }: RawFields, { mail, labels }: Reading): ReadStay {
  const tagged = languageOf(mail.language);
  const languages = tagged ? [...new Set([...labels.languages, tagged])] : labels.languages;
  const written =
    range !== null && (checkin === null || checkout === null)
      ? { checkin: null, checkout: null, range }
      : { checkin, checkout, range: null };
  return readStay(written, {
    languages,
    tag: mail.language,
    reference: mail.date?.slice(0, 10) ?? null,
    exact: mail.dated === 'written',
  });
}

/**
 * By the channel's own words: those of the subject, which channels keep to one thing, without the guest's name; a bare form
 * is a confirmation by being filled in. Requests, inquiries, reminders, reviews, payouts and newsletters are `other`.
 */
function intentOf({ mail, labels }: Reading, channel: Channel | null, raw: RawFields): MailIntent {
  const named = [...valuesOf(labels, 'guest_name').map(withoutParty), ...valuesOf(labels, 'property')];
  const subject = ownSubject(mail.subject, [...(raw.guest_name ? [raw.guest_name] : []), ...named]);
  const folded = foldText(subject);
  const words = wordsOf(folded);
  if (CANCELLATION.isIn(folded, words)) return 'cancellation';
  if (CHANGE.isIn(folded, words)) return 'change';
  if (subjectAsks(subject)) return 'other';
  const confirmed = CONFIRMED.isIn(folded, words);
  // In any of the body's readings: the one that gives most need not be the one that says so. A channel that says
  // "confirmed" in its subject does not take it back; whatever denies it below is the guest's.
  if (!(confirmed && channel !== null) && mail.texts.some(bodyAsks)) return 'other';
  if (confirmed || NEW_BOOKING.isIn(folded, words)) return isOfSomebody(raw) ? 'confirmation' : 'other';
  return channel === null && raw.guest_name && raw.checkin && raw.checkout ? 'confirmation' : 'other';
}

/** A newsletter that promises confirmed bookings names none. */
const isOfSomebody = ({ guest_name, checkin, checkout, range, reservation_code }: RawFields) =>
  [guest_name, checkin, checkout, range, reservation_code].some((fact) => fact !== null);

const worth = (found: Extraction) =>
  Number(found.checkin_date !== null) * 4 +
  Number(found.checkout_date !== null) * 4 +
  Number(found.guest_name !== null) * 2 +
  Number(found.guest_email !== null) +
  Number(found.reservation_code !== null);

function addressIn(text: string | null): string | null {
  const address = addressesIn(text ?? '').find((found) => /\.[A-Za-z]{2,24}$/.test(found));
  return address && address.length <= 254 ? address.toLowerCase() : null;
}
