/**
 * Finds labelled values in a mail's text, and the languages of the labels. The value may be on the
 * label's line ("Guest: Jane"), on the next line or in a column.
 */
import { DATE_LANGUAGES, type DateLanguage } from '../dates/words';
import { splitLabelledLine } from '../label-line';
import LABEL_WORDS from './label-words.json';

export type LabelledMailField =
  | 'guest_name'
  | 'guest_email'
  | 'checkin'
  | 'checkout'
  | 'dates'
  | 'reservation_code'
  | 'channel'
  | 'guest_count'
  | 'property';

type LabelWords = Readonly<Partial<Record<LabelledMailField, string>>>;

/** Labels that are used in mails of every language, so they do not indicate the language. */
const INTERNATIONAL: LabelWords = {
  guest_email: 'email|e-mail|mail',
  checkin: 'check-in|check in|checkin',
  checkout: 'check-out|check out|checkout',
  channel: 'portal',
};

/** The labels of channels and forms in each language. */
const LABELS: Readonly<Record<DateLanguage, LabelWords>> = LABEL_WORDS;

const fold = (text: string) =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/['`´]/g, '’')
    .replace(/[\s\u00a0]+/g, ' ')
    .trim();

interface KnownLabel {
  readonly field: LabelledMailField;
  /** The languages that use the label. Empty for international labels. */
  readonly languages: DateLanguage[];
}

const KNOWN = new Map<string, KnownLabel>();
const know = (words: LabelWords, language: DateLanguage | null) => {
  for (const [field, labels] of Object.entries(words) as [LabelledMailField, string][]) {
    for (const label of labels.split('|').map(fold)) {
      const known = KNOWN.get(label) ?? { field, languages: [] };
      if (language) known.languages.push(language);
      KNOWN.set(label, known);
    }
  }
};
know(INTERNATIONAL, null);
for (const language of DATE_LANGUAGES) know(LABELS[language], language);

/** Words that count as labels only before a colon. */
// biome-ignore format: a word list reads better in lines.
const ONLY_WITH_COLON = new Set([
  'name', 'nom', 'nome', 'naam', 'nombre', 'namn', 'navn', 'nimi', 'nume', 'ime', 'meno', 'név', 'имя', 'client', 'cliente', 'klient', 'mail',
  'date', 'data', 'datum', 'dato', 'dátum', 'tarih', 'fecha', 'dates', 'stay', 'reservation', 'booking', 'buchung', 'reserva', 'prenotazione', 'bestilling', 'bokning',
]);

export interface LabelledMailValue {
  readonly field: LabelledMailField;
  readonly value: string;
}

export interface ParsedLabelledMail {
  /**
   * The labelled values, in the order in which the mail contains them. Callers use the first
   * plausible value of a field.
   */
  readonly values: readonly LabelledMailValue[];
  /** The languages with the most labels in the mail. Empty when unknown. */
  readonly languages: readonly DateLanguage[];
}

const MAX_LINES = 1_500;
const LONGEST_LABEL = 50;
const LONGEST_VALUE = 300;
/** The number of lines read below a pair of stay labels: the days, their times and empty lines. */
const STAY_LINES = 9;

export function parseLabelledMail(text: string): ParsedLabelledMail {
  const values: LabelledMailValue[] = [];
  const counts = new Map<DateLanguage, number>();
  const lines = text.split('\n').map((line) =>
    line
      .replace(/^\s*(?:> ?)+/, '')
      .replaceAll(' | ', '\t')
      .trim(),
  );
  let below_a_pair = -1;
  for (let index = 0; index < Math.min(lines.length, MAX_LINES); index += 1) {
    const cells = lines[index]!.split('\t').map((cell) => cell.trim());
    const fields = cells.map(labelOf);
    for (const [cell, label] of fields.entries()) {
      if (!label) continue;
      for (const language of label.languages) counts.set(language, (counts.get(language) ?? 0) + 1);
      const value = label.value || (index === below_a_pair ? '' : valueAfter(lines, index, cells, fields, cell));
      if (value) values.push({ field: label.field, value: value.slice(0, LONGEST_VALUE) });
    }
    const pair_ends = endOfPair(lines, index, fields);
    if (pair_ends === null) continue;
    // Text below a pair of labels belongs to both labels, not only to the second one.
    below_a_pair = pair_ends > index ? pair_ends : -1;
    values.push({ field: 'dates', value: textBelow(lines, pair_ends) });
  }
  const most = Math.max(0, ...counts.values());
  return { values, languages: DATE_LANGUAGES.filter((language) => most > 0 && counts.get(language) === most) };
}

/** Returns all values of a field, in the order of the mail. */
export function getLabelledFieldValues(mail: ParsedLabelledMail, field: LabelledMailField): string[] {
  return mail.values.filter((value) => value.field === field).map(({ value }) => value);
}

interface Label extends KnownLabel {
  readonly value: string;
}

/**
 * Parses a cell as a label, with its value if one follows a colon. Returns null when the cell is
 * not a label.
 */
function labelOf(cell: string): Label | null {
  if (cell === '' || cell.length > LONGEST_VALUE) return null;
  const colon = splitLabelledLine(cell, LONGEST_LABEL);
  const word = fold((colon?.label ?? cell).replace(/[*_]/g, ''));
  const known = KNOWN.get(word);
  if (!known || (!colon && ONLY_WITH_COLON.has(word))) return null;
  return { ...known, value: colon?.value ?? '' };
}

/**
 * Returns the label's value from the next cell, from the same column below, or from the next line.
 */
function valueAfter(
  lines: readonly string[],
  index: number,
  cells: string[],
  fields: (Label | null)[],
  cell: number,
): string {
  const beside = cells[cell + 1];
  if (beside && !fields[cell + 1]) return beside;
  for (let next = index + 1; next < Math.min(lines.length, index + 4); next += 1) {
    if (lines[next] === '') continue;
    const below = lines[next]!.split('\t').map((value) => value.trim());
    const value = (cells.length > 1 ? below[cell] : lines[next]!.replace(/\t/g, ' ')) ?? '';
    return labelOf(value) ? '' : value;
  }
  return '';
}

const isBare = (label: Label | null | undefined, field: LabelledMailField) =>
  label?.field === field && label.value === '';

/**
 * Returns the last line of a pair of "Check-in" and "Checkout" labels that both precede their days.
 * The labels may be in columns, on one line ("Check-in Checkout") or on two lines. Returns null
 * when there is no such pair.
 */
function endOfPair(lines: readonly string[], index: number, fields: readonly (Label | null)[]): number | null {
  const arrives = fields.findIndex((label) => isBare(label, 'checkin'));
  if (arrives >= 0) {
    if (isBare(fields[arrives + 1], 'checkout')) return index;
    if (fields.length > 1) return null;
    const next = nextLine(lines, index);
    return next !== null && isBare(labelOf(lines[next]!), 'checkout') ? next : null;
  }
  const line = lines[index]!;
  if (line.length > 2 * LONGEST_LABEL || fields.length > 1) return null;
  for (let space = line.indexOf(' '); space > 0; space = line.indexOf(' ', space + 1)) {
    const both = isBare(labelOf(line.slice(0, space)), 'checkin') && isBare(labelOf(line.slice(space + 1)), 'checkout');
    if (both) return index;
  }
  return null;
}

function nextLine(lines: readonly string[], index: number): number | null {
  for (let next = index + 1; next < Math.min(lines.length, index + 4); next += 1) if (lines[next] !== '') return next;
  return null;
}

/** Returns the text below the line, up to the next label. */
function textBelow(lines: readonly string[], index: number): string {
  const below: string[] = [];
  for (const line of lines.slice(index + 1, index + 1 + STAY_LINES)) {
    if (line.split('\t').some((cell) => labelOf(cell.trim()))) break;
    below.push(line.slice(0, LONGEST_VALUE));
  }
  return below.join(' ').replace(/\s+/g, ' ').trim().slice(0, LONGEST_VALUE);
}
