/** Conditions that find a guest's texts in columns. Column and text are folded by one function. */
import { Prisma as Sql } from '@/infra/db/scoped-client';
import { ALIKE_CHARACTERS, INVISIBLE_CHARACTERS, UNSPACED_SCRIPTS } from './redaction.rules';

/** What `translate` replaces, and removes where there is no counterpart. */
const FROM = `İςı${ALIKE_CHARACTERS.map(([characters]) => characters).join('')}${INVISIBLE_CHARACTERS}`;
const TO = `iσi${ALIKE_CHARACTERS.map(([characters, as]) => as.repeat(characters.length)).join('')}`;

/** Returns the folded text, like `foldForMatching`, as far as the database's locale supports. */
const folded = (text: Sql.Sql) => Sql.sql`regexp_replace(replace(
  translate(lower(normalize(${text}, NFKC)), ${FROM}::text, ${TO}::text), 'ß', 'ss'), '[[:space:]]+', ' ', 'g')`;

const any = (conditions: readonly Sql.Sql[]) =>
  conditions.length === 0 ? Sql.sql`FALSE` : Sql.sql`(${Sql.join([...conditions], ' OR ')})`;

/** Returns the condition that a column equals one of these texts. */
export const columnEqualsAny = (column: Sql.Sql, texts: readonly string[]): Sql.Sql =>
  any(texts.map((text) => Sql.sql`${folded(column)} = ${folded(Sql.sql`${text}::text`)}`));

/** Returns the condition that JSON contains one of these texts as a whole value. */
export const jsonContainsValue = (json: Sql.Sql, texts: readonly string[]): Sql.Sql =>
  any(texts.map((text) => Sql.sql`strpos(${folded(json)}, ${folded(Sql.sql`${JSON.stringify(text)}::text`)}) > 0`));

const LETTER = '[[:alnum:]]';

/**
 * Returns a regular expression of PostgreSQL that matches a text as a whole word. A name may have
 * an `s` added to it. A longer address is another address. `createMentionTest` in
 * redaction.rules.ts is the same rule.
 */
function wordPattern(text: string): string {
  const [first = '', last = ''] = [[...text][0], [...text].at(-1)];
  const escaped = text.normalize('NFKC').replace(/[\\^$.*+?()[\]{}|/]/g, (sign) => `\\${sign}`);
  if (/[@:]/.test(text)) return `(?<!${LETTER}|[._%+-])${escaped}(?!${LETTER}|[.-]${LETTER})`;
  const before = UNSPACED_SCRIPTS.test(first) ? '' : `(?<!${LETTER})`;
  const after = UNSPACED_SCRIPTS.test(last) ? '' : `s?(?!${LETTER})`;
  return before + escaped + after;
}

/** Returns the condition that a text mentions one of these as a word. */
export const columnMentions = (column: Sql.Sql, texts: readonly string[]): Sql.Sql =>
  any(texts.map((text) => Sql.sql`${folded(column)} ~ ${folded(Sql.sql`${wordPattern(text)}::text`)}`));

/** Returns the same condition for JSON, whose syntax is not part of the searched text. */
export const jsonMentions = (json: Sql.Sql, texts: readonly string[]): Sql.Sql =>
  columnMentions(
    json,
    texts.map((text) => JSON.stringify(text).slice(1, -1)),
  );
