/**
 * An event's lines made readable where only one reading is sensible: text that a raw line break cut off goes back to its
 * line, days are told to be days, and what is broken beside the point is left out. What a stay depends on is never
 * guessed: an event whose days, repetition or status are broken stays unreadable, and is only seen by its identity.
 */

import { MAX_LINE } from './text';

/** `NAME:` or `NAME;`; anything else is not a property. */
const PROPERTY = /^[A-Za-z0-9-]+[;:]/;
/** Of these a value may be text with line breaks. */
const TEXT = /^(?:SUMMARY|DESCRIPTION|LOCATION|COMMENT|CONTACT)[;:]/i;
/** Without these an event means something else. */
const ESSENTIAL = /^(?:DTSTART|DTEND|DURATION|RECURRENCE-ID|RRULE|RDATE|EXDATE|STATUS)(?![A-Za-z0-9-])/i;
const DAYS = /^(DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)((?:;[^:"]*)?):(.*)$/i;
const BARE_DAYS = /^\d{4}-?\d{2}-?\d{2}(?:,\d{4}-?\d{2}-?\d{2})*$/;

/** Whether an event depends on the line, be it broken or not. */
export const isEssential = (line: string): boolean => ESSENTIAL.test(line);

/** The lines of one event, BEGIN and END included. */
export function repairLines(lines: readonly string[]): string[] {
  const shouts = lines.some((line) => line.startsWith('DTSTART'));
  const repaired: string[] = [];
  let in_text = false;
  for (const line of lines) {
    // `Status: cancelled` in a description's raw second line says nothing about the event.
    const is_prose = shouts && /^[A-Za-z0-9-]*[a-z]/.test(line);
    if (!is_prose && (PROPERTY.test(line) || isEssential(line))) {
      repaired.push(withBareDays(line));
      in_text = TEXT.test(line);
      continue;
    }
    const last = repaired.length - 1;
    // Behind anything but text a line without a name says nothing.
    if (in_text && repaired[last]!.length < MAX_LINE) repaired[last] += `\\n${escaped(line.trim())}`;
  }
  return repaired;
}

/** The rest of a text keeps the escapes it has. */
const escaped = (text: string) => text.replace(/(?<!\\)([,;])/g, '\\$1');

/** `DTSTART:20260612`, `DTSTART;VALUE=DATE:2026-06-12`: days, whatever the parameters forgot to say. */
function withBareDays(line: string): string {
  const found = DAYS.exec(line);
  const value = (found?.[3] ?? '').trim();
  if (!found || !BARE_DAYS.test(value)) return line;
  const parameters = found[2]!.replace(/;(?:VALUE|TZID)=[^;]*/gi, '');
  return `${found[1]}${parameters};VALUE=DATE:${value.replaceAll('-', '')}`;
}
