/**
 * Repairs an event's lines if only one reading is plausible. Appends the text after a raw line
 * break to its line, converts malformed dates to valid DATE values, and removes malformed lines
 * that do not affect the stay. An event whose days, repetition or status are malformed is not
 * repaired, and only its identity is used.
 */

import { MAX_FEED_LINE_CHARACTERS } from './text';

/** Matches the start of a property: `NAME:` or `NAME;`. */
const PROPERTY = /^[A-Za-z0-9-]+[;:]/;
/** Properties whose value may be text with line breaks. */
const TEXT = /^(?:SUMMARY|DESCRIPTION|LOCATION|COMMENT|CONTACT)[;:]/i;
/** Properties that change an event's meaning when they are missing. */
const ESSENTIAL = /^(?:DTSTART|DTEND|DURATION|RECURRENCE-ID|RRULE|RDATE|EXDATE|STATUS)(?![A-Za-z0-9-])/i;
const DAYS = /^(DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)((?:;[^:"]*)?):(.*)$/i;
const BARE_DAYS = /^\d{4}-?\d{2}-?\d{2}(?:,\d{4}-?\d{2}-?\d{2})*$/;

/** Returns whether the event cannot be read without this line. */
export const isEssentialIcalEventLine = (line: string): boolean => ESSENTIAL.test(line);

/** Repairs the lines of one event, including BEGIN and END. */
export function repairIcalEventLines(lines: readonly string[]): string[] {
  const is_uppercase = lines.some((line) => line.startsWith('DTSTART'));
  const repaired: string[] = [];
  let in_text = false;
  for (const line of lines) {
    // `Status: cancelled` after a raw line break in a description is text, not the event's status.
    const is_prose = is_uppercase && /^[A-Za-z0-9-]*[a-z]/.test(line);
    if (!is_prose && (PROPERTY.test(line) || isEssentialIcalEventLine(line))) {
      repaired.push(withBareDays(line));
      in_text = TEXT.test(line);
      continue;
    }
    const last = repaired.length - 1;
    // A line without a property name can only continue the text of the line before.
    if (in_text && repaired[last]!.length < MAX_FEED_LINE_CHARACTERS) repaired[last] += `\\n${escaped(line.trim())}`;
  }
  return repaired;
}

/** Escapes commas and semicolons that are not yet escaped. */
const escaped = (text: string) => text.replace(/(?<!\\)([,;])/g, '\\$1');

/** Converts `DTSTART:20260612` and `DTSTART;VALUE=DATE:2026-06-12` to valid DATE values. */
function withBareDays(line: string): string {
  const found = DAYS.exec(line);
  const value = (found?.[3] ?? '').trim();
  if (!found || !BARE_DAYS.test(value)) return line;
  const parameters = found[2]!.replace(/;(?:VALUE|TZID)=[^;]*/gi, '');
  return `${found[1]}${parameters};VALUE=DATE:${value.replaceAll('-', '')}`;
}
