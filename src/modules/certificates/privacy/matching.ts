/**
 * SQL conditions that find a guest's texts in columns. The column and the text are normalized in
 * the same way.
 */
import { Prisma as Sql } from '@/infra/db/scoped-client';
import { INVISIBLE_CHARACTERS, LOOKALIKE_CHARACTERS, WRITING_SYSTEMS_WITHOUT_SPACES } from './redaction.rules';

/** The arguments of SQL's `translate`. Characters without a counterpart in TO are removed. */
const FROM = `İςı${LOOKALIKE_CHARACTERS.map(([characters]) => characters).join('')}${INVISIBLE_CHARACTERS}`;
const TO = `iσi${LOOKALIKE_CHARACTERS.map(([characters, as]) => as.repeat(characters.length)).join('')}`;

/** The SQL version of `foldTextForMatching`, as exact as the database's locale allows. */
const folded = (text: Sql.Sql) => Sql.sql`regexp_replace(replace(
  translate(lower(normalize(${text}, NFKC)), ${FROM}::text, ${TO}::text), 'ß', 'ss'), '[[:space:]]+', ' ', 'g')`;

const any = (conditions: readonly Sql.Sql[]) =>
  conditions.length === 0 ? Sql.sql`FALSE` : Sql.sql`(${Sql.join([...conditions], ' OR ')})`;

/** Returns the condition that a column equals one of these texts. */
export const buildColumnEqualsAnySql = (column: Sql.Sql, texts: readonly string[]): Sql.Sql =>
  any(texts.map((text) => Sql.sql`${folded(column)} = ${folded(Sql.sql`${text}::text`)}`));

/** Returns the condition that JSON contains one of these texts as a whole value. */
export const buildJsonContainsValueSql = (json: Sql.Sql, texts: readonly string[]): Sql.Sql =>
  any(texts.map((text) => Sql.sql`strpos(${folded(json)}, ${folded(Sql.sql`${JSON.stringify(text)}::text`)}) > 0`));

const LETTER = '[[:alnum:]]';

/**
 * Returns a PostgreSQL regular expression that matches a text as a whole word. A name may be
 * followed by an `s`. An address does not match inside a longer address.
 * `createGuestMentionMatcher` in redaction.rules.ts implements the same rule.
 */
function wordPattern(text: string): string {
  const [first = '', last = ''] = [[...text][0], [...text].at(-1)];
  const escaped = text.normalize('NFKC').replace(/[\\^$.*+?()[\]{}|/]/g, (sign) => `\\${sign}`);
  if (/[@:]/.test(text)) return `(?<!${LETTER}|[._%+-])${escaped}(?!${LETTER}|[.-]${LETTER})`;
  const before = WRITING_SYSTEMS_WITHOUT_SPACES.test(first) ? '' : `(?<!${LETTER})`;
  const after = WRITING_SYSTEMS_WITHOUT_SPACES.test(last) ? '' : `s?(?!${LETTER})`;
  return before + escaped + after;
}

/** Returns the condition that a column mentions one of these texts as a whole word. */
export const buildColumnContainsTextSql = (column: Sql.Sql, texts: readonly string[]): Sql.Sql =>
  any(texts.map((text) => Sql.sql`${folded(column)} ~ ${folded(Sql.sql`${wordPattern(text)}::text`)}`));

/** Returns the condition that a JSON column mentions one of these texts as a whole word. */
export const buildJsonColumnContainsTextSql = (json: Sql.Sql, texts: readonly string[]): Sql.Sql =>
  buildColumnContainsTextSql(
    json,
    texts.map((text) => JSON.stringify(text).slice(1, -1)),
  );
