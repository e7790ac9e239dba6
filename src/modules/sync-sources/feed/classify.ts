/**
 * Classifies an event of a channel's calendar by its words (design "Calendar sync", the table of
 * kinds). The three channels write in the host's language. The words are therefore listed in the
 * languages that most hosts use.
 */
import type { GuestLocale } from '@/shared/guest-text/locale';
import { findLanguageOfPhoneNumbersInText } from '@/shared/guest-text/phone-language';
import { trimCharactersFromEnd, trimCharactersFromStart } from '@/shared/text/trim-characters';
import { estimateBlockedNightsLikelihood, isBookingSystemName } from './block-words';
import { parseGuestDetailsInDescription } from './booking-systems';

/**
 * `other_ical` is the host's own calendar or the calendar of a property-management system. Its
 * bookings are named after the guest.
 */
export type CalendarFeedKind = 'channel_a_ical' | 'channel_b_ical' | 'channel_c_ical' | 'other_ical';

/**
 * `closure`: either a booking or a block. Occurs only in feeds of channel C, which do not
 * distinguish the two. The planner decides, for example by which stays the host has marked as
 * blocks. `unknown`: words that no channel is known to use. `doubtful`: either a block or a guest,
 * so the host must decide.
 */
export type FeedEntryCategory = 'booking' | 'closure' | 'block' | 'tentative' | 'unknown' | 'doubtful';

/** The properties of an event, other than its text, that show availability. */
export interface CalendarEventAvailability {
  /** Whether the event has STATUS:TENTATIVE. */
  readonly tentative: boolean;
  /**
   * Whether the event leaves its owner available: TRANSP:TRANSPARENT, or a busy status of `FREE`.
   */
  readonly free: boolean;
}

export interface ClassifiedFeedEntry {
  readonly class: FeedEntryCategory;
  readonly guest_name: string | null;
  readonly reservation_code: string | null;
  readonly phone_last4: string | null;
  /** The language of the country to which a phone number in the text belongs. */
  readonly guest_language: GuestLocale | null;
}

// biome-ignore format: a word list is easier to read in lines.
const RESERVED = [
  'reserved', 'reservation', 'booked', 'booking', 'réservé', 'réservée', 'réservation', 'reserve', 'reservee', 'reserviert',
  'gebucht', 'buchung', 'reservado', 'reservada', 'reserva', 'riservato', 'riservata', 'prenotato', 'prenotata',
  'prenotazione', 'gereserveerd', 'geboekt', 'reservering', 'reserverad', 'bokad', 'reserveret', 'booket', 'reservert',
  'bestilt', 'varattu', 'zarezerwowane', 'zarezerwowany', 'rezerwacja', 'rezervováno', 'rezervované', 'rezervirano',
  'rezervat', 'foglalt', 'κρατημένο', 'κράτηση', 'rezerve', 'rezerve edildi', 'rezervasyon', 'забронировано', 'бронирование',
  'заброньовано', 'резервирано', '予約済み', '予約', '已预订', '已预定', '已預訂', '예약됨', '예약 완료', 'محجوز', 'שמור', 'הוזמן',
  'reservat', 'rezervisano', 'резервисано', 'broneeritud', 'reserveeritud', 'rezervēts', 'rezervuota', 'užsakyta', 'frátekið', 'bókað', 'riżervat',
  'rezervuar', 'e rezervuar', 'erreserbatuta', 'lefoglalva', 'rezervirana', 'rezervovaná', 'đã đặt', 'đã được đặt', 'dipesan', 'telah dipesan', 'direservasi',
  'ditempah', 'จองแล้ว', 'आरक्षित', 'رزرو شده', 'დაჯავშნილია', 'ամրագրված', 'rezerv edilib', 'imehifadhiwa', 'bespreek', 'na-book', 'зарезервировано',
];

// biome-ignore format: a word list is easier to read in lines.
const BLOCKED = [
  'not available', 'unavailable', 'blocked', 'block', 'indisponible', 'non disponible', 'bloqué', 'bloquée', 'bloque',
  'nicht verfügbar', 'blockiert', 'gesperrt', 'no disponible', 'bloqueado', 'bloqueada', 'não disponível', 'indisponível',
  'non disponibile', 'bloccato', 'bloccata', 'niet beschikbaar', 'geblokkeerd', 'inte tillgänglig', 'ej tillgänglig',
  'blockerad', 'ikke tilgængelig', 'blokeret', 'ikke tilgjengelig', 'blokkert', 'ei saatavilla', 'ei käytettävissä',
  'niedostępne', 'niedostępny', 'zablokowane', 'nedostupné', 'blokováno', 'nedostupno', 'blokirano', 'indisponibil',
  'blocat', 'nem elérhető', 'μη διαθέσιμο', 'μη διαθεσιμο', 'müsait değil', 'bloke', 'недоступно', 'заблокировано', 'недоступний',
  'недостъпно', '利用不可', '予約不可', '不可预订', '不可用', '無法預訂', '예약 불가', '이용 불가', 'غير متاح', 'לא זמין', 'no disponible', 'pole saadaval',
  'nav pieejams', 'nepasiekiama', 'ekki laust', 'mhux disponibbli', 'ni na voljo', 'nije dostupno', 'није доступно', 'không có sẵn', 'tidak tersedia', 'ไม่ว่าง', 'उपलब्ध नहीं', 'غیرقابل دسترسی',
];

// biome-ignore format: a word list is easier to read in lines.
const TENTATIVE = [
  'tentative', 'provisional', 'pending', 'provisoire', 'en attente', 'vorläufig', 'unbestätigt', 'provisorisch',
  'provisional', 'pendiente', 'tentativa', 'provisorio', 'provvisorio', 'provvisoria', 'in attesa', 'provisório',
  'provisória', 'pendente', 'voorlopig', 'preliminär', 'foreløbig', 'foreløpig', 'alustava', 'wstępna', 'wstępne',
  'předběžná', 'προσωρινή', 'geçici', 'предварительно', 'предварительная', '仮予約', '暂定', '임시',
];

// biome-ignore format: a word list is easier to read in lines.
const CLOSED = [
  'closed', 'fermé', 'fermée', 'geschlossen', 'cerrado', 'cerrada', 'chiuso', 'chiusa', 'fechado', 'gesloten', 'stängt',
  'lukket', 'stengt', 'suljettu', 'zamknięte', 'zavřeno', 'κλειστό', 'kapalı', 'закрыто', '休業', '已关闭', '닫힘',
];

/** Normalizes words for comparison. */
export const normalizeFeedTextForComparison = (text: string) =>
  text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
const wordSet = (words: readonly string[]) =>
  [...new Set(words.map(normalizeFeedTextForComparison))].sort((a, b) => b.length - a.length);
const RESERVED_WORDS = wordSet(RESERVED);
const BLOCKED_WORDS = wordSet(BLOCKED);
const TENTATIVE_WORDS = wordSet(TENTATIVE);
const CLOSED_WORDS = wordSet(CLOSED);

/**
 * Returns the text after the word and its separator, or `''` when nothing follows the word. Returns
 * null when the text does not start with one of the words.
 */
function afterWord(summary: string, words: readonly string[]): string | null {
  const folded = normalizeFeedTextForComparison(summary);
  for (const word of words) {
    if (!folded.startsWith(word)) continue;
    const rest = summary.normalize('NFC').replace(/\s+/g, ' ').trim().slice(word.length);
    if (rest === '') return '';
    const separated = rest.trimStart();
    if (separated.startsWith('(')) return separated.slice(1).replace(/\)$/, '').trim();
    if ('-–—:|,'.includes(separated.charAt(0))) return separated.slice(1).trim();
  }
  return null;
}

const isPhrase = (text: string, words: readonly string[]) =>
  words.includes(normalizeFeedTextForComparison(trimCharactersFromEnd(trimCharactersFromStart(text, '(['), ')].')));

/**
 * Returns whether the text starts with "not available" or ends with it in brackets, as in `Channel
 * A (Not available)`.
 */
function saysBlocked(summary: string): boolean {
  if (afterWord(summary, BLOCKED_WORDS) !== null) return true;
  const bracket = /\(([^()]*)\)\s*$/.exec(summary)?.[1];
  return bracket !== undefined && isPhrase(bracket, BLOCKED_WORDS);
}

/**
 * Returns the class of an event, and the facts in its text.
 * @param summary the SUMMARY, unescaped
 * @param details DESCRIPTION and URL, unescaped, joined by a line end
 */
export function classifyFeedEntry(
  kind: CalendarFeedKind,
  summary: string,
  details: string,
  { tentative, free }: CalendarEventAvailability,
): ClassifiedFeedEntry {
  const described = kind === 'other_ical' ? parseGuestDetailsInDescription(details) : null;
  const reservation_code = findReservationCodeInFeedEntry(summary, details) ?? described?.code ?? null;
  const phone_last4 = findPhoneLast4(details) ?? described?.phone_last4 ?? null;
  const guest_language = findLanguageOfPhoneNumbersInText(details);
  const made = (cls: FeedEntryCategory, name: string | null = null): ClassifiedFeedEntry => ({
    class: cls,
    guest_name: name === null ? null : cleanName(name),
    reservation_code,
    phone_last4,
    guest_language,
  });
  if (tentative || afterWord(summary, TENTATIVE_WORDS) !== null) return made('tentative');
  const booked_as = afterWord(summary, RESERVED_WORDS);

  if (kind === 'channel_c_ical') {
    const rest = afterWord(summary, CLOSED_WORDS) ?? booked_as;
    if (rest !== null) {
      const is_closed = saysBlocked(rest) || estimateBlockedNightsLikelihood(rest) === 'block';
      return !is_closed && (cleanName(rest) || PARTY.test(rest)) ? made('booking', rest) : made('closure');
    }
  }
  if (kind === 'other_ical') return made(...classifyOther(summary, booked_as, free, described));
  if (reservation_code && !saysBlocked(summary)) return made('booking', booked_as ?? nameBesideCode(summary));
  if (booked_as !== null) {
    if (isPhrase(booked_as, BLOCKED_WORDS) || estimateBlockedNightsLikelihood(booked_as) === 'block')
      return made('block');
    if (isPhrase(booked_as, TENTATIVE_WORDS)) return made('tentative');
    return made('booking', booked_as);
  }
  if (saysBlocked(summary) || afterWord(summary, CLOSED_WORDS) !== null) return made('block');
  return made(estimateBlockedNightsLikelihood(summary) === 'block' ? 'block' : 'unknown');
}

/**
 * Classifies an entry of a calendar that does not belong to a channel. The entry contains the
 * guest's name or the reason for a block.
 */
function classifyOther(
  summary: string,
  booked_as: string | null,
  free: boolean,
  described: ReturnType<typeof parseGuestDetailsInDescription> | null,
): [FeedEntryCategory, string | null] {
  const label = booked_as ?? summary;
  if (isPhrase(label, TENTATIVE_WORDS)) return ['tentative', null];
  const sense = saysBlocked(label) ? 'block' : estimateBlockedNightsLikelihood(label);
  const of_guest = described?.any === true;
  // "Airbnb (Not available)" is a block. "Reserved - Closed" is a booking without a name.
  if (sense === 'block' && !of_guest)
    return [booked_as !== null && isPhrase(label, CLOSED_WORDS) ? 'booking' : 'block', null];
  const named = sense === 'no' && !isBookingSystemName(label) ? withoutSystem(label) : '';
  const name = (cleanName(named) ? named : described?.name) ?? null;
  if (booked_as !== null || of_guest) return [sense === 'perhaps' && !of_guest ? 'doubtful' : 'booking', name];
  if (sense === 'perhaps' || free || isBookingSystemName(label)) return ['doubtful', name];
  if (afterWord(summary, CLOSED_WORDS) !== null) return ['block', null];
  return ['unknown', name];
}

/**
 * Removes the booking system's name: "Airbnb - Jane Doe" and "Jane Doe (Booking.com)" become "Jane
 * Doe".
 */
function withoutSystem(text: string): string {
  const parts = text.split(/ [-–—|:] |[()]|: /u).filter((part) => part.trim() !== '');
  const left = parts.filter((part) => !isBookingSystemName(part));
  return left.length > 0 && left.length < parts.length ? left.join(' ').trim() : text;
}

/** Returns the reservation's code, from the details or in brackets after the summary. */
export const findReservationCodeInFeedEntry = (summary: string, details: string): string | null =>
  findReservationCode(details) ?? codeInBrackets(summary);

/** Finds `HM…` at the end of a reservation link, or a labelled code. */
function findReservationCode(written: string): string | null {
  const details = written.replace(/[^\S\n]+/g, ' ');
  const linked = /\/details\/([A-Z0-9]{6,20})\b/i.exec(details)?.[1];
  if (linked) return linked.toUpperCase();
  const labelled =
    /(?:reservation|booking|confirmation|réservation|buchungs?|reservierungs?|reserva|prenotazione|reservering)s?[ -]?(?:code|id|number|no\.?|nummer|numéro|número|numero) ?[:#] ?\n? ?([A-Z0-9][A-Z0-9-]{4,24})\b/i.exec(
      details,
    )?.[1];
  return labelled && /\d|^[A-Z]+$/.test(labelled) ? labelled.toUpperCase() : null;
}

const codeInBrackets = (summary: string) => /\((HM[A-Z0-9]{6,10})\)\s*$/.exec(summary)?.[1] ?? null;

/**
 * Finds `Phone Number (Last 4 Digits): 1234` in any language: a label that contains a 4, then four
 * digits.
 */
function findPhoneLast4(details: string): string | null {
  const lines = details.split('\n').filter((line) => line.trim() !== '');
  for (const [index, line] of lines.entries()) {
    const colon = line.includes(':') ? line.indexOf(':') : line.lastIndexOf('：');
    if (colon < 0 || !/\b4\b/.test(line.slice(0, colon))) continue;
    // The digits may be on the next line.
    const value = line.slice(colon + 1).trim() || (lines[index + 1] ?? '').trim();
    if (/^\d{4}$/.test(value)) return value;
  }
  return null;
}

/** Matches the start of "2 guests" or "2 Gäste, 1 Kind". No name starts like this. */
const PARTY = /^\(?\d{1,2}\s*\p{L}/u;
/**
 * A reservation code. The expressions below match a code before or after a name, or a number of
 * guests after it: "Ada Smith (3456789012)", "Ada Smith, 2 adults".
 */
const CODE = String.raw`(?:HM[A-Z0-9]{6,10}|\d{6,12})`;
const BEFORE_NAME = new RegExp(String.raw`^[(#\s]*${CODE}[)\s]*[-–—:|,]?\s*`, 'u');
const BETWEEN = '(?: ?[-–—:|,(#] ?| )';
const CODE_BEHIND = new RegExp(String.raw`${BETWEEN}${CODE}\)?$`, 'u');
const PARTY_BEHIND = new RegExp(String.raw`${BETWEEN}\d{1,2} ?\p{L}.*$`, 'su');

/**
 * Returns a person's name as the calendar writes it, at most 120 characters. Returns null for other
 * text.
 */
function cleanName(text: string): string | null {
  let name = [...text.replace(/\s+/g, ' ').trim()].slice(0, 120).join('');
  name = name
    .replace(BEFORE_NAME, '')
    .replace(PARTY_BEHIND, '')
    .replace(CODE_BEHIND, '')
    .replace(CODE_BEHIND, '')
    .trim();
  if (!/\p{L}/u.test(name) || PARTY.test(name)) return null;
  return isPhrase(name, BLOCKED_WORDS) || isPhrase(name, CLOSED_WORDS) || isBookingSystemName(name) ? null : name;
}

/**
 * Returns the name in `Jane Doe (HMABCD2345)`. Returns null for a single word, which may be an
 * unlisted word for "reserved".
 */
function nameBesideCode(summary: string): string | null {
  return codeInBrackets(summary) && /\p{L}\s+\p{L}/u.test(summary) ? summary : null;
}
