/**
 * Tests that raw SQL is used only for statements that Prisma cannot express: locks, joins,
 * aggregates, batches, values computed by the database.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const REASONS: Readonly<Record<string, RegExp>> = {
  lock: /\bFOR (NO KEY )?UPDATE\b|\bFOR (KEY )?SHARE\b|\bpg_advisory|\bSKIP LOCKED\b|\bLOCK TABLE\b/,
  'several tables, or a subquery':
    /\bJOIN\b|\bWITH\b|\bEXISTS\b|\bSELECT\b[\s\S]*\bSELECT\b|\bleasedByDeadProcess\b|\b(UPDATE|DELETE)\b[\s\S]*\b(FROM|USING)\b/,
  aggregate: /\b(count|sum|min|max|\w+_agg|percentile_\w+)\(|\bDISTINCT\b|\bGROUP BY\b/,
  batch: /\bjsonb?_to_recordset\(|\bunnest\(|= ANY\b/,
  'a value computed by the database':
    /\bCASE\b|\bON CONFLICT\b|\b(coalesce|greatest|least|lower|left|regexp_replace|date_trunc|to_tsvector)\(|\binterval\b|@@|\(\w+ - \w+\)|\bLIKE\b|\b(\w+) = \2 [-+]/i,
  'the database itself': /\b(pg_\w+|information_schema|current_setting|set_config|VACUUM|CHECKPOINT|SET LOCAL)\b/i,
};

/**
 * Files with statements that are raw SQL for a reason that REASONS cannot detect, each with the
 * reason.
 */
const OTHERS: Readonly<Record<string, string>> = {
  'src/modules/accounts/repository.ts': 'the row of a team has no mode, and is read inside of the scope’s transaction',
  'src/modules/certificates/privacy/redaction.repository.ts': 'JSON is searched as text',
  'src/modules/reservations/double-bookings/repository.ts': 'pairs of columns in a list',
  'src/modules/search/repository.ts': 'the table is a parameter',
  'src/modules/stay-calendar/repository.ts': 'days as text, by thousands',
  'src/operator/doctor.ts': 'the clock of the database',
  'src/operator/health/migration-state.ts': 'Prisma’s own table',
};

/**
 * The calls whose statements are checked. Statements of hot paths run through functions of infra/db
 * (driver/prepared.ts) and need no other reason, because a benchmark measures them.
 */
const CALL = /\$(?:query|execute)Raw\b/g;

/** Returns the first template literal after `start`, including template literals nested in it. */
function templateFrom(text: string, start: number): string {
  const from = text.indexOf('`', start);
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text.startsWith('${', at)) depth++;
    else if (text[at] === '}' && depth > 0) depth--;
    else if (text[at] === '`' && depth === 0 && at > from) return text.slice(from, at);
  }
  return '';
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => join('src', name))
  .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$|\/(testing|generated|db)\//.test(name));

it('raw SQL is used only where Prisma cannot express the statement', () => {
  const plain = new Set<string>();
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    for (const { index } of text.matchAll(CALL)) {
      const sql = templateFrom(text, index);
      if (!/\b(SELECT|UPDATE|DELETE|INSERT)\b/.test(sql) || sql.length > 4_000) continue;
      if (!Object.values(REASONS).some((reason) => reason.test(sql)))
        plain.add(OTHERS[file] ? file : `${file}: ${sql}`);
    }
  }
  expect([...plain].sort()).toEqual(Object.keys(OTHERS));
});
