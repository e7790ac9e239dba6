/**
 * Finds the original mail in the text of a forwarded mail. Gmail, Outlook, Apple Mail and
 * Thunderbird insert a block of headers above the original, in the language of the person who
 * forwards. The code searches for this block, because it is the only part that all programs insert.
 */
import { FORWARD_HEADER_FIELD_BY_LABEL, type MailHeaderField } from './forward-words';
import { splitLabelledLine } from './label-line';

export interface InlineOriginalMail {
  /** The value as written: `Channel A <automated@channel-a.example>`. */
  readonly from: string | null;
  readonly subject: string | null;
  readonly date: string | null;
  readonly text: string;
}

const MAX_LINES_SEARCHED = 400;
/**
 * The number of lines at the start of an original mail that are searched for the forwarding headers
 * of another mail. In a mail that was forwarded twice, at most a short note precedes the inner
 * headers. Headers further down belong to a quotation.
 */
const MAX_LINES_WITHIN = 40;
/** The maximum number of times that a mail was forwarded. */
const MAX_DEPTH = 4;
const LONGEST_LABEL = 32;
const LONGEST_BLOCK = 24;

/**
 * Returns the innermost original mail in the text, or null when the text has no block of forwarding
 * headers.
 */
export function unwrapInlineOriginalMail(text: string): InlineOriginalMail | null {
  let found = unwrapOnce(text, MAX_LINES_SEARCHED);
  for (let depth = 1; found && depth < MAX_DEPTH; depth += 1) {
    const inner = unwrapOnce(found.text, MAX_LINES_WITHIN);
    if (!inner) break;
    found = inner;
  }
  return found;
}

function unwrapOnce(text: string, searched: number): InlineOriginalMail | null {
  const lines = text.split('\n');
  for (let start = 0; start < Math.min(lines.length, searched); start += 1) {
    const field = headerAt(lines[start]!)?.field;
    if (!field || field === 'other') continue;
    const block = readBlock(lines, start);
    if (!block) continue;
    const { found, end } = block;
    const quoted = /^\s*>/.test(lines[start]!);
    const body = lines.slice(end).map((line) => (quoted ? line.replace(/^\s*> ?/, '') : line));
    return {
      from: found.get('from') || null,
      subject: found.get('subject') || null,
      date: found.get('date') || null,
      text: body.join('\n').replace(/^\s+/, ''),
    };
  }
  return null;
}

/**
 * Reads a block of header lines from `start`. Returns null unless the block has a sender and at
 * least two of date, recipient and subject.
 */
function readBlock(
  lines: readonly string[],
  start: number,
): { found: Map<MailHeaderField, string>; end: number } | null {
  const found = new Map<MailHeaderField, string>();
  let end = start;
  let last: MailHeaderField | null = null;
  let blanks = 0;
  for (let index = start; index < Math.min(lines.length, start + LONGEST_BLOCK); index += 1) {
    const header = headerAt(lines[index]!);
    if (header) {
      if (header.field !== 'other' && found.has(header.field)) break;
      found.set(header.field, header.value);
      last = header.field;
      end = index + 1;
      blanks = 0;
      continue;
    }
    const line = bare(lines[index]!);
    if (line === '') {
      blanks += 1;
      // Apple Mail's text version separates headers by empty lines. Two empty lines begin the body.
      if (blanks > 1 || found.size >= 4) break;
    } else if (last !== null && blanks === 0 && found.get(last) === '') {
      found.set(last, line);
      end = index + 1;
    } else if (last !== null && blanks === 0 && CONTINUED.has(last) && found.size < 4) {
      // A long subject or recipient list continues on the next line.
      found.set(last, `${found.get(last)} ${line}`);
      end = index + 1;
    } else break;
  }
  const known = (['date', 'to', 'subject'] as const).filter((field) => found.has(field)).length;
  const sender = found.get('from') ?? '';
  return known >= 2 && (sender.includes('@') || (sender !== '' && found.has('subject'))) ? { found, end } : null;
}

const CONTINUED: ReadonlySet<MailHeaderField> = new Set(['to', 'subject', 'from']);

function headerAt(raw: string): { field: MailHeaderField; value: string } | null {
  const labelled = splitLabelledLine(bare(raw), LONGEST_LABEL);
  const field =
    labelled && FORWARD_HEADER_FIELD_BY_LABEL.get(labelled.label.toLowerCase().replace(/['`´]/g, '’').trim());
  return field ? { field, value: labelled.value.replace(/\t/g, ' ') } : null;
}

const bare = (line: string) => line.replace(/^\s*(?:> ?)+/, '').trim();
