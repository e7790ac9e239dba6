/**
 * Queues mail by inserting a row in the transaction of the change that the mail reports.
 * delivery.ts sends the mail afterwards, with the row's id as idempotency key, so that retries do
 * not send it twice. Without a mail provider, and in test mode, mail is captured and shown in the
 * dashboard.
 */
import { config } from '@/config';
import { notifyEventRelay } from '@/events/process-listeners';
import { lockTeam } from '@/infra/db/locks';
import { runAfterCommit } from '@/infra/db/transaction';
import { hashToken } from '@/infra/encryption';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Mode, Scope } from '@/shared/scope';
import { buildMailColumnsIfBudgetExceeded } from './budget';
import { encryptMailContent } from './content';
import * as repository from './repository';
import { maskMailLinksAndCodes, type OutgoingMailContent } from './rules/mask.rules';

/** How long the API returns a test-mode mail (specification, "Limits"). */
export const TEST_MODE_MAIL_RETENTION_MS = 24 * 60 * 60 * 1000;
const DAY_MS = 86_400_000;

export type RenderedMail = OutgoingMailContent;

export interface OutgoingMail extends RenderedMail {
  /**
   * The mail's id. Set when the rendered mail already contains a value derived from the id, such as
   * the tracking pixel's token.
   */
  id?: string;
  template: string;
  to: string;
  reservation_id?: string | null;
  /** Whether the API returns the rendered mail for 24 hours (test mode). */
  preview?: boolean;
  /**
   * The number of minutes for which the mail's secret is valid. After this time, the mail's content
   * is deleted.
   */
  secret_minutes?: number;
  /** The token of the tracking pixel, if the mail has one. */
  open_token?: string;
  /** The address for replies. */
  reply_to?: string | null;
  /** The certificate whose sealed PDF is attached. */
  attachment?: string;
}

/**
 * Returns whether a mail provider is configured. Without one, live mail is captured too, and the
 * dashboard shows a notice.
 */
export const isMailProviderConfigured = () => Boolean(config().resend_api_key || config().smtp_url);

const initialStatus = (live: boolean) => (live && isMailProviderConfigured() ? 'queued' : 'captured');

function columns(mail: OutgoingMail, live: boolean) {
  const now = clock().now();
  const status = initialStatus(live);
  const preview_until = mail.preview ? new Date(now.getTime() + TEST_MODE_MAIL_RETENTION_MS) : null;
  const masked = maskMailLinksAndCodes(mail, mail.template);
  // A captured live mail is stored without its link. The host finds the link on the reservation's
  // page.
  const shown = live && status === 'captured' && mail.reservation_id;
  return {
    id: mail.id ?? newId('mail'),
    template: mail.template,
    to: mail.to,
    from: config().mail_from,
    subject: masked.subject,
    content: encryptMailContent(shown ? masked : mail),
    content_until: mail.secret_minutes ? new Date(now.getTime() + mail.secret_minutes * 60_000) : preview_until,
    status,
    due_at: now,
    created_at: now,
    reservation_id: mail.reservation_id ?? null,
    preview_until,
    open_token_hash: mail.open_token ? hashToken(mail.open_token) : null,
    reply_to: mail.reply_to ?? null,
    attachment: mail.attachment ?? null,
  };
}

/**
 * Returns whether the address is suppressed after a bounce or a complaint, and must not be mailed.
 */
export function isEmailAddressSuppressed(scope: Scope, address: string): Promise<boolean> {
  return repository.isEmailAddressOnSuppressionList(scope, address);
}

/** Counts the packets mailed to guests in the last 24 hours. */
export function countRecentPacketMails(scope: Scope, now: Date): Promise<number> {
  return repository.countMails(scope, 'packet', new Date(now.getTime() - DAY_MS));
}

/** Counts the test mails that hosts sent in the last 24 hours to check their texts. */
export function countRecentHostTestMails(scope: Scope, now: Date): Promise<number> {
  return repository.countMails(scope, 'mail_test', new Date(now.getTime() - DAY_MS));
}

/** Returns whether a mail was captured instead of sent. */
export async function isMailCapturedInsteadOfSent(id: string): Promise<boolean> {
  return (await repository.findMailStatus(id)) === 'captured';
}

/**
 * Queues a mail in the open transaction of the change that it reports. Locks the team and applies
 * the budget (budget.ts). Throws rate_limit_exceeded.
 */
export async function queueMail(scope: Scope, mail: OutgoingMail): Promise<void> {
  const row = columns(mail, scope.mode === 'live');
  const leaves = row.status === 'queued';
  if (leaves) await lockTeam(scope);
  await repository.insertMail(scope, { ...row, ...(leaves && (await buildMailColumnsIfBudgetExceeded(scope, mail))) });
  runAfterCommit(notifyEventRelay);
}

/** Queues a mail about a team from background work over all teams, in the open transaction. */
export async function queueSystemMail(
  { team_id, mode }: { team_id: string; mode: Mode },
  mail: OutgoingMail,
): Promise<void> {
  const row = columns(mail, mode === 'live');
  const held = row.status === 'queued' && (await buildMailColumnsIfBudgetExceeded({ team_id }, mail));
  await repository.insertMailThroughSystemDb({ ...row, ...held, team_id, mode });
  runAfterCommit(notifyEventRelay);
}

/** Queues an account mail (password reset, invitation). */
export async function queueAccountMail(mail: OutgoingMail): Promise<void> {
  await repository.insertMailThroughSystemDb({ ...columns(mail, true), team_id: null, mode: null });
  notifyEventRelay();
}
