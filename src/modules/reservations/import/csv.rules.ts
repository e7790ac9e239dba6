/**
 * Parses CSV (RFC 4180) and the variants that spreadsheets write: `;` or tabs as separators, a BOM,
 * and CR or LF line ends. Pure.
 */
import { createRefusal, type Refusal } from '@/shared/refusals/refusal';

export interface CsvRecord {
  /** The number of the record's first line, counted from 1. */
  line: number;
  cells: string[];
}

export type CsvParseResult = { ok: true; records: CsvRecord[] } | { ok: false; line: number; message: Refusal };

const DELIMITERS = [',', ';', '\t'];

/** Splits CSV text into records and omits empty lines. Fails on an unclosed quotation mark. */
export function parseCsv(text: string): CsvParseResult {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const delimiter = delimiterOf(source);
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let cell = '';
  // Copies whole slices between delimiters, which is faster than reading letter by letter.
  let from = 0;
  // Whether the cell is blank so far. Scanning the cell at every quotation mark would take
  // quadratic time.
  let blank = true;
  let line = 1;
  let begun = 1;
  let quoted_at: number | null = null;
  const takeUpTo = (end: number, next: number) => {
    cell += source.slice(from, end);
    from = next;
  };
  const endCell = (at: number) => {
    takeUpTo(at, at + 1);
    cells.push(cell.trim());
    cell = '';
    blank = true;
  };
  const endRecord = (at: number) => {
    endCell(at);
    if (cells.some(Boolean)) records.push({ line: begun, cells });
    cells = [];
  };
  for (let at = 0; at < source.length; at++) {
    const char = source[at] as string;
    if (quoted_at !== null) {
      if (char === '"' && source[at + 1] === '"') {
        at++;
        takeUpTo(at, at + 1);
        blank = false;
      } else if (char === '"') {
        takeUpTo(at, at + 1);
        quoted_at = null;
      } else blank &&= char.trim() === '';
      if (char === '\n') line++;
    } else if (char === '"' && blank) {
      cell = '';
      from = at + 1;
      quoted_at = line;
    } else if (char === delimiter) endCell(at);
    else if (char === '\n') {
      endRecord(at);
      begun = ++line;
    } else blank &&= char.trim() === '';
  }
  if (quoted_at !== null) {
    return { ok: false, line: quoted_at, message: createRefusal('quotation_never_closed') };
  }
  endRecord(source.length);
  return { ok: true, records };
}

/** Returns the most frequent separator of the first line, outside quotation marks. */
function delimiterOf(source: string): string {
  const head = (source.split('\n', 1)[0] ?? '').replace(/"[^"]*"/g, '');
  const counted = DELIMITERS.map((delimiter) => ({ delimiter, count: head.split(delimiter).length }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).delimiter;
}
