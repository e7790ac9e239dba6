/**
 * Repairs an event's lines where only one reading is sensible: text after a raw line break is
 * appended to its line, days are marked as days, and broken lines that do not matter are left out.
 * Nothing that a stay depends on is guessed: an event whose days, repetition or status are broken
 * stays unreadable, and only its identity is known.
 */

import { MAX_LINE } from './text';

/** `NAME:` or `NAME;`; anything else is not a property. */
const PROPERTY = /^[A-Za-z0-9-]+[;:]/;
/** Properties whose value may be text with line breaks. */
const TEXT = /^(?:SUMMARY|DESCRIPTION|LOCATION|COMMENT|CONTACT)[;:]/i;
/** Properties without which an event means something else. */
const ESSENTIAL = /^(?:DTSTART|DTEND|DURATION|RECURRENCE-ID|RRULE|RDATE|EXDATE|STATUS)(?![A-Za-z0-9-])/i;
const DAYS = /^(DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)((?:;[^:"]*)?):(.*)$/i;
const BARE_DAYS = /^\d{4}-?\d{2}-?\d{2}(?:,\d{4}-?\d{2}-?\d{2})*$/;

/** Whether an event depends on the line, even if it is broken. */
export const isEssential = (line: string): boolean => ESSENTIAL.test(line);

/** The lines of one event, BEGIN and END included. */
export function repairLines(lines: readonly string[]): string[] {
  const is_uppercase = lines.some((line) => line.startsWith('DTSTART'));
  const repaired: string[] = [];
  let in_text = false;
  for (const line of lines) {
    // `Status: cancelled` in a description's raw second line is not the event's status.
    const is_prose = is_uppercase && /^[A-Za-z0-9-]*[a-z]/.test(line);
    if (!is_prose && (PROPERTY.test(line) || isEssential(line))) {
      repaired.push(withBareDays(line));
      in_text = TEXT.test(line);
      continue;
    }
    const last = repaired.length - 1;
    // A line without a name only continues text.
    if (in_text && repaired[last]!.length < MAX_LINE) repaired[last] += `\\n${escaped(line.trim())}`;
  }
  return repaired;
}

/** Escapes what is not escaped yet. */
const escaped = (text: string) => text.replace(/(?<!\\)([,;])/g, '\\$1');

/** `DTSTART:20260612` and `DTSTART;VALUE=DATE:2026-06-12` are days, even without that parameter. */
function withBareDays(line: string): string {
  const found = DAYS.exec(line);
  const value = (found?.[3] ?? '').trim();
  if (!found || !BARE_DAYS.test(value)) return line;
  const parameters = found[2]!.replace(/;(?:VALUE|TZID)=[^;]*/gi, '');
  return `${found[1]}${parameters};VALUE=DATE:${value.replaceAll('-', '')}`;
}
