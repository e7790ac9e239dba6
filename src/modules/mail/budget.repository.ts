/**
 * Counts mails for the mail budget (budget.ts). Only mails that were sent or will be sent count.
 */
import { systemDb } from '@/infra/db/client';
import { Prisma, queryRowsInOpenScopeTransaction, UNSCOPED_SQL_COMMENT } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';
import { normalizeMailboxAddress } from '@/shared/text/mailbox';
import {
  MAIL_BUDGET_WINDOW_MS,
  MEMBER_MAIL_TEMPLATES,
  type RecentMailCounts,
  type TeamMailBudgetFields,
} from './rules/budget.rules';

/**
 * The age after which mails are not counted. It is twice the window, because a mail may be delayed
 * by a day and counts from its due time.
 */
const PUT_OFF_MS = 2 * MAIL_BUDGET_WINDOW_MS;

type Rows = <Row>(query: Prisma.Sql) => Promise<Row[]>;
/** Runs queries in the open transaction of a scope. */
const inScope =
  (scope: Scope): Rows =>
  (query) =>
    queryRowsInOpenScopeTransaction(scope, query);
const beyondScopes: Rows = (query) => systemDb().$queryRaw(query);

/** `normalizeMailboxAddress` as an SQL expression. Must equal the expression of the index. */
const MAILBOX = Prisma.raw(`regexp_replace(lower(m."to"), '\\+[^@]*(?=@)', '')`);

const at = (time: number) => Prisma.sql`${new Date(time).toISOString()}::timestamptz`;

/**
 * Locks an address until the transaction ends, for all teams. Concurrent mails to the address are
 * then counted one after the other.
 */
export async function lockRecipientEmailAddress(scope: Scope, to: string): Promise<void> {
  await queryRowsInOpenScopeTransaction(
    scope,
    Prisma.sql`${UNSCOPED_SQL_COMMENT} SELECT pg_advisory_xact_lock(hashtextextended(${`mail:${normalizeMailboxAddress(to)}`}, 0))::text AS locked
    WHERE ${scope.team_id} <> ''`,
  );
}

/**
 * Counts a team's mails and a recipient's mails. `of` is a scope, or only a team's id in background
 * work over all teams.
 */
export async function countMailsInBudgetWindow(
  of: Scope | { team_id: string },
  to: string,
  now: Date,
): Promise<{ team: TeamMailBudgetFields; mailed: RecentMailCounts } | null> {
  const rows: Rows = 'actor' in of ? inScope(of) : beyondScopes;
  const [since, created] = [at(now.getTime() - MAIL_BUDGET_WINDOW_MS), at(now.getTime() - PUT_OFF_MS)];
  // A failed mail without attempts does not count, because the budget refused it.
  const left = Prisma.sql`m.mode = 'live' AND m.status <> 'captured' AND NOT (m.status = 'failed' AND m.attempts = 0)
    AND m.due_at > ${since} AND m.created_at > ${created}`;
  const [row] = await rows<TeamMailBudgetFields & RecentMailCounts>(Prisma.sql`${UNSCOPED_SQL_COMMENT}
    SELECT t.plan, t.property_limit, t.created_at,
      (SELECT count(*)::int FROM mail_messages m
        WHERE m.team_id = t.id AND ${left} AND m.template NOT IN (${Prisma.join([...MEMBER_MAIL_TEMPLATES])}))
      + (SELECT count(*)::int FROM invitations i WHERE i.team_id = t.id AND i.created_at > ${since}) AS by_team,
      (SELECT count(*)::int FROM mail_messages m
        WHERE m.team_id = t.id AND ${MAILBOX} = ${normalizeMailboxAddress(to)} AND ${left}) AS to_recipient,
      (SELECT count(*)::int FROM mail_messages m
        WHERE ${MAILBOX} = ${normalizeMailboxAddress(to)} AND ${left}) AS to_recipient_by_all
    FROM teams t WHERE t.id = ${of.team_id}`);
  if (!row) return null;
  const { plan, property_limit, created_at, ...mailed } = row;
  return { team: { plan, property_limit, created_at }, mailed };
}

/**
 * Returns the number of different addresses, other than `to`, to which codes for a reservation were
 * mailed.
 */
export async function countOneTimeCodeRecipientsExceptAddress(
  scope: Scope,
  reservation_id: string,
  to: string,
): Promise<number> {
  const [row] = await queryRowsInOpenScopeTransaction<{ count: number }>(
    scope,
    Prisma.sql`
    SELECT count(DISTINCT lower("to"))::int AS count FROM mail_messages
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND reservation_id = ${reservation_id}
      AND template = 'one_time_code' AND lower("to") <> ${to.toLowerCase()}`,
  );
  return row?.count ?? 0;
}
