/**
 * Reads reservations from a CSV of bookings, and reports problems by line. Depends only on the
 * file, the team's properties and the existing stays. The preview and the import use the same
 * rules, so the preview is exact. Pure.
 */

import { toCanonicalLanguageTag } from '@/shared/guest-text/language-tag';
import { createRefusal, type Refusal } from '@/shared/refusals/refusal';
import { EmailAddress, personNameField } from '@/shared/schemas';
import { RESERVATION_SOURCES } from '../schemas';
import { type CsvRecord, parseCsv } from './csv.rules';
import { parseImportDate } from './dates.rules';
import { MAX_IMPORT_ROWS } from './file.rules';

/**
 * The accepted headers of each field, in lower case and without spaces and punctuation. The
 * template uses the first header.
 */
const HEADERS = {
  property: ['property', 'propertyname', 'propertyid', 'listing', 'listingname', 'unit', 'apartment', 'accommodation'],
  guest_name: ['guestname', 'guest', 'name', 'fullname', 'guestfullname', 'booker', 'bookername', 'customer'],
  first_name: ['firstname', 'guestfirstname', 'givenname'],
  last_name: ['lastname', 'guestlastname', 'surname', 'familyname'],
  guest_email: ['guestemail', 'email', 'emailaddress', 'guestemailaddress', 'mail', 'contactemail'],
  locale: ['locale', 'language', 'lang', 'guestlanguage', 'guestlocale', 'preferredlanguage'],
  checkin_date: ['checkindate', 'checkin', 'arrival', 'arrivaldate', 'startdate', 'start', 'from'],
  checkout_date: ['checkoutdate', 'checkout', 'departure', 'departuredate', 'enddate', 'end', 'until', 'to'],
  source: ['source', 'channel'],
  booking_code: [
    'bookingcode',
    'reservationcode',
    'confirmationcode',
    'code',
    'reference',
    'bookingreference',
    'bookingnumber',
    'bookingid',
    'reservationid',
    'externalid',
  ],
} as const satisfies Record<string, readonly string[]>;
export type ImportColumnName = keyof typeof HEADERS;
export const IMPORT_COLUMN_NAMES = Object.keys(HEADERS) as [ImportColumnName, ...ImportColumnName[]];

export interface ReservationImportInput {
  text: string;
  /** The property of lines that have no value in the property column. */
  property_id: string | null;
  /** If true, 03/04/2026 is 3 April. If false, it is March 4. */
  day_first: boolean;
}

export interface ReservationImportContext {
  properties: readonly { id: string; name: string }[];
  channel_names: Readonly<Record<'channel_a' | 'channel_b' | 'channel_c', string>>;
}

export interface ImportedReservation {
  property_id: string;
  guest_name: string;
  guest_email: string | null;
  locale: string | null;
  checkin_date: string;
  checkout_date: string;
  source: (typeof RESERVATION_SOURCES)[number];
  external_id: string | null;
}

export interface ImportLine {
  line: number;
  /** The line's values as written in the file, for display to the host. */
  shown: Partial<Record<ImportColumnName, string>>;
  problems: { field: ImportColumnName; message: Refusal }[];
  /** Null when there are problems. */
  row: ImportedReservation | null;
}

export interface ParsedReservationImport {
  columns: { header: string; field: ImportColumnName | null }[];
  lines: ImportLine[];
  /** A problem with the whole file. If there is one, `lines` is empty. */
  problem: Refusal | null;
}

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]/gu, '');

const failed = (problem: Refusal, columns: ParsedReservationImport['columns'] = []): ParsedReservationImport => ({
  columns,
  lines: [],
  problem,
});

/** Parses the file. Each line is validated separately, and ambiguous values are rejected. */
export function parseReservationImport(
  input: ReservationImportInput,
  known: ReservationImportContext,
): ParsedReservationImport {
  const parsed = parseCsv(input.text);
  if (!parsed.ok) return failed(createRefusal('line_of_the_file', { line: parsed.line, wrong: parsed.message }));
  const [head, ...records] = parsed.records;
  if (!head) return failed(createRefusal('file_is_empty'));
  const columns = mapColumns(head);
  const has = (field: ImportColumnName) => columns.some((column) => column.field === field);
  const missing = [
    has('guest_name') || has('first_name') || has('last_name') ? null : createRefusal('column_guest_name'),
    has('checkin_date') ? null : createRefusal('column_checkin'),
    has('checkout_date') ? null : createRefusal('column_checkout'),
    has('property') || input.property_id ? null : createRefusal('column_property'),
  ].filter((text) => text !== null);
  if (missing.length > 0) {
    return failed(createRefusal('columns_are_missing', { missing: listed(missing) }), columns);
  }
  if (records.length === 0) return failed(createRefusal('nothing_below_the_headers'), columns);
  if (records.length > MAX_IMPORT_ROWS) {
    return failed(createRefusal('too_many_lines', { count: records.length, most: MAX_IMPORT_ROWS }), columns);
  }
  return { columns, lines: records.map((record) => readLine(record, columns, input, known)), problem: null };
}

/** Joins the messages of several refusals into one message, separated by commas. */
const listed = ([first, ...others]: Refusal[]): Refusal | undefined =>
  others.reduce((one, more) => createRefusal('one_and_more', { one, more }), first);

/** Maps columns to fields. If several columns have the same field, only the first is used. */
function mapColumns({ cells }: CsvRecord): ParsedReservationImport['columns'] {
  const taken = new Set<ImportColumnName>();
  return cells.map((header) => {
    const name = plain(header);
    const field = (Object.keys(HEADERS) as ImportColumnName[]).find((key) =>
      (HEADERS[key] as readonly string[]).includes(name),
    );
    if (!field || taken.has(field)) return { header, field: null };
    taken.add(field);
    return { header, field };
  });
}

const Name = personNameField(120);
const NAME_PROBLEMS: Record<string, Refusal> = {
  too_big: createRefusal('longer_than', { most: 120 }),
  invalid_format: createRefusal('name_has_a_letter'),
};

function readLine(
  { line, cells }: CsvRecord,
  columns: ParsedReservationImport['columns'],
  input: ReservationImportInput,
  known: ReservationImportContext,
): ImportLine {
  const shown: ImportLine['shown'] = {};
  columns.forEach(({ field }, index) => {
    if (field && cells[index]) shown[field] = cells[index];
  });
  const problems: ImportLine['problems'] = [];
  const wrong = (field: ImportColumnName, message: Refusal) => {
    problems.push({ field, message });
    return null;
  };
  if (cells.length > columns.length) {
    wrong('guest_name', createRefusal('too_many_cells', { cells: cells.length, columns: columns.length }));
  }

  const name = Name.safeParse(shown.guest_name ?? [shown.first_name, shown.last_name].filter(Boolean).join(' '));
  const guest_name = name.success
    ? name.data
    : wrong('guest_name', NAME_PROBLEMS[name.error.issues[0]?.code ?? ''] ?? createRefusal('no_name'));

  const email = shown.guest_email ? EmailAddress.safeParse(shown.guest_email) : null;
  if (email && !email.success) wrong('guest_email', createRefusal('no_e_mail_address', { text: shown.guest_email }));

  // Spreadsheets may contain `pt_BR` instead of `pt-BR`.
  const locale = shown.locale ? toCanonicalLanguageTag(shown.locale.replaceAll('_', '-')) : null;
  if (shown.locale && !locale) wrong('locale', createRefusal('no_language_tag', { text: shown.locale }));

  const day = (field: 'checkin_date' | 'checkout_date') => {
    const read = shown[field] ? parseImportDate(shown[field], input.day_first) : null;
    return (
      read ?? wrong(field, shown[field] ? createRefusal('no_day', { text: shown[field] }) : createRefusal('no_date'))
    );
  };
  const checkin_date = day('checkin_date');
  const checkout_date = day('checkout_date');
  if (checkin_date && checkout_date && checkout_date <= checkin_date) {
    wrong('checkout_date', createRefusal('check_out_not_after'));
  }

  const source =
    sourceOf(shown.source, known) ??
    wrong('source', createRefusal('none_of', { text: shown.source, known: RESERVATION_SOURCES.join(', ') }));
  const property_id = propertyOf(shown.property, input, known, wrong);
  if (shown.booking_code && shown.booking_code.length > 200)
    wrong('booking_code', createRefusal('longer_than', { most: 200 }));

  const complete = problems.length === 0 && guest_name && checkin_date && checkout_date && source && property_id;
  return {
    line,
    shown,
    problems,
    row: complete
      ? {
          property_id,
          guest_name,
          guest_email: email?.data ?? null,
          locale,
          checkin_date,
          checkout_date,
          source,
          external_id: shown.booking_code ?? null,
        }
      : null,
  };
}

/** Returns the source whose API value or configured channel name equals the text. */
function sourceOf(
  text: string | undefined,
  { channel_names }: ReservationImportContext,
): ImportedReservation['source'] | null {
  if (!text) return 'direct';
  const names: Record<string, string> = channel_names;
  return (
    RESERVATION_SOURCES.find((source) => [source, names[source] ?? ''].some((name) => plain(name) === plain(text))) ??
    null
  );
}

function propertyOf(
  text: string | undefined,
  { property_id }: ReservationImportInput,
  { properties }: ReservationImportContext,
  wrong: (field: ImportColumnName, message: Refusal) => null,
): string | null {
  if (!text) return property_id ?? wrong('property', createRefusal('no_property_chosen'));
  const named = properties.filter(({ id, name }) => id === text || plain(name) === plain(text));
  if (named.length > 1)
    return wrong('property', createRefusal('several_properties_called', { count: named.length, text }));
  return named[0]?.id ?? wrong('property', createRefusal('no_property_called', { text }));
}

/**
 * Returns the keys that identify a booking. Two lines or reservations with a common key are the
 * same booking.
 */
export function getBookingIdentityKeys(row: {
  property_id: string;
  checkin_date: string;
  checkout_date: string;
  guest_email: string | null;
  guest_name: string;
  external_id: string | null;
}): string[] {
  const stay = `${row.property_id} ${row.checkin_date} ${row.checkout_date}`;
  return [
    ...(row.external_id ? [`${row.property_id} code ${row.external_id.toLowerCase()}`] : []),
    row.guest_email ? `${stay} ${row.guest_email.toLowerCase()}` : `${stay} named ${row.guest_name.toLowerCase()}`,
  ];
}

/**
 * Finds the lines that the import skips because their booking already exists or is in the file
 * twice. Returns the reasons by line number.
 */
export function findRepeatedImportLines(
  lines: readonly ImportLine[],
  existing: Iterable<string>,
): Map<number, Refusal> {
  const there = new Set(existing);
  const earlier = new Map<string, number>();
  const repeated = new Map<number, Refusal>();
  for (const { line, row } of lines) {
    if (!row) continue;
    const keys = getBookingIdentityKeys(row);
    const first = keys.map((key) => earlier.get(key)).find((number) => number !== undefined);
    if (keys.some((key) => there.has(key))) repeated.set(line, createRefusal('is_there_already'));
    else if (first !== undefined) repeated.set(line, createRefusal('same_as_line', { line: first }));
    for (const key of keys) if (!earlier.has(key)) earlier.set(key, line);
  }
  return repeated;
}
