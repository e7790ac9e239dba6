/**
 * Writes the results of attempts, and tries again until they are stored. One short transaction
 * writes a batch of results, next attempts, endpoint counters and mails to owners. Mails are
 * rendered before the transaction. In the transaction, the changes are computed again with locked
 * rows.
 */

import { config } from '@/config';
import { renderEndpointDisabledEmail } from '@/emails/endpoint/disabled';
import { renderWebhookDeliveryWarningEmail } from '@/emails/endpoint/warning';
import { inSystemTransaction } from '@/infra/db/transaction';
import { logger } from '@/infra/logger';
import { findOwnerEmailAddresses } from '@/modules/accounts/team.service';
import { queueSystemMail, type RenderedMail } from '@/modules/mail/service';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import { parseStoredRefusal } from '@/shared/refusals/refusal';
import type { WebhookDeliveryAttemptOutcome } from './attempt';
import * as queue from './queue.repository';
import {
  computeEffectsOfFinishedDeliveryAttempts,
  type EffectsOfFinishedDeliveryAttempts,
  type EndpointFailureMail,
  type FinishedDeliveryAttempt,
} from './results.rules';

/**
 * The maximum number of tries to write a batch. A try fails when mails must be rendered first, for
 * example because another process has changed an endpoint.
 */
const MAX_ROUNDS = 5;

interface Rendered {
  to: string[];
  content: RenderedMail;
}

/** Stores the outcomes of attempts whose lease is still held. Throws database errors. */
export async function saveFinishedDeliveryAttempts(finished: readonly FinishedDeliveryAttempt[]): Promise<void> {
  const rendered = new Map<string, Rendered>();
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const mails = await tryWrite(finished, rendered);
    if (mails.length === 0) return;
    for (const mail of mails) rendered.set(mailKey(mail), await render(mail));
  }
  throw new Error('The results of webhook attempts could not be stored: the endpoints kept changing.');
}

/**
 * Results are collected for this time, because one transaction for several results costs less than
 * one for each.
 */
const GATHER_MS = 10;
const FULL_BATCH = 128;
const LONGEST_WAIT_MS = 5_000;
const REMIND_MS = 60_000;

const gathered: { one: FinishedDeliveryAttempt; stored: () => void }[] = [];
let timer: NodeJS.Timeout | undefined;
let writing = false;
let failures = 0;
let logged_at = Number.NEGATIVE_INFINITY;

/**
 * Stores the outcome of an attempt, in one transaction with the outcomes of other attempts that end
 * at about the same time. Resolves when it is stored.
 */
export function saveFinishedDeliveryAttempt(one: FinishedDeliveryAttempt): Promise<void> {
  return new Promise((stored) => {
    gathered.push({ one, stored });
    schedule();
  });
}

function schedule(): void {
  if (writing || gathered.length === 0) return;
  if (failures === 0 && gathered.length >= FULL_BATCH) {
    clearTimeout(timer);
    timer = undefined;
    void writeGathered();
    return;
  }
  const wait_ms = failures === 0 ? GATHER_MS : Math.min(100 * 2 ** failures, LONGEST_WAIT_MS);
  timer ??= setTimeout(() => {
    timer = undefined;
    void writeGathered();
  }, wait_ms);
}

async function writeGathered(): Promise<void> {
  writing = true;
  // After a failure, results are stored separately, so that a single result cannot block the
  // others.
  const batch = failures === 0 ? gathered.splice(0) : gathered.splice(0, 1);
  try {
    await saveFinishedDeliveryAttempts(batch.map(({ one }) => one));
    failures = 0;
    for (const { stored } of batch) stored();
  } catch (error) {
    failures += 1;
    gathered.push(...batch);
    if (performance.now() - logged_at >= REMIND_MS) {
      logged_at = performance.now();
      logger().error(
        { err: error, attempts: gathered.length },
        'webhook results could not be stored; storing them is retried',
      );
    }
  }
  writing = false;
  schedule();
}

const mailKey = (mail: EndpointFailureMail) => `${mail.kind} ${mail.endpoint.id}`;

/** Thrown to roll back when leases were lost or mails must be rendered first. */
class Rollback extends Error {
  constructor(readonly mails: EndpointFailureMail[]) {
    super('rolled back');
  }
}

/**
 * Writes the results and returns an empty list. If mails must be rendered first, writes nothing and
 * returns these mails.
 */
async function tryWrite(
  finished: readonly FinishedDeliveryAttempt[],
  rendered: ReadonlyMap<string, Rendered>,
): Promise<EndpointFailureMail[]> {
  const delays_ms = config().webhook_retry_delays_ms;
  const ids = [...new Set(finished.map(({ delivery }) => delivery.endpoint_id))];
  let owned = finished;
  for (;;) {
    const lost = new Set<string>();
    try {
      await inSystemTransaction(async () => {
        const plan = computeEffectsOfFinishedDeliveryAttempts(owned, await queue.lockEndpoints(ids), delays_ms);
        const unrendered = plan.mails.filter((mail) => !rendered.has(mailKey(mail)));
        if (unrendered.length > 0) throw new Rollback(unrendered);
        const stored = await queue.storeDeliveryAttemptResults(plan.results);
        for (const { id } of plan.results) if (!stored.has(id)) lost.add(id);
        // A lease is lost when it has expired and another process has leased the attempt. Only that
        // process stores a result.
        if (lost.size > 0) throw new Rollback([]);
        await saveConsequences(plan, rendered);
      });
      return [];
    } catch (error) {
      if (!(error instanceof Rollback)) throw error;
      if (error.mails.length > 0) return error.mails;
      owned = owned.filter(({ delivery }) => !lost.has(delivery.id));
      if (owned.length === 0) return [];
    }
  }
}

async function saveConsequences(
  plan: EffectsOfFinishedDeliveryAttempts,
  rendered: ReadonlyMap<string, Rendered>,
): Promise<void> {
  const now = clock().now();
  await queue.saveEndpointColumnsChangedByAttempts(plan.endpoints, now);
  await queue.insertNextDeliveryAttempts(
    plan.next.map((next) => ({ ...next, id: newId('webhook_delivery'), created_at: now.toISOString() })),
  );
  for (const mail of plan.mails) {
    const { to, content } = rendered.get(mailKey(mail)) as Rendered;
    for (const address of to) {
      await queueSystemMail(mail.endpoint, { ...content, template: mail.kind, to: address });
    }
  }
}

async function render(mail: EndpointFailureMail): Promise<Rendered> {
  const { endpoint } = mail;
  const shared = {
    endpoint_url: endpoint.url,
    failed_attempts: mail.failures,
    last_error: describeDeliveryAttemptError(mail.outcome),
    dashboard_url: `${config().app_url}/developers/webhooks/${endpoint.id}`,
  };
  const content =
    mail.kind === 'endpoint_disabled'
      ? await renderEndpointDisabledEmail({ ...shared, failing_since: endpoint.failing_since })
      : await renderWebhookDeliveryWarningEmail({
          ...shared,
          event_type: mail.event_type,
          disabled_after: mail.disabled_after,
          next_retry_at: mail.retry_at,
        });
  return { to: await findOwnerEmailAddresses(endpoint.team_id), content };
}

/** Returns the last error as text for the owner. */
export function describeDeliveryAttemptError(outcome: WebhookDeliveryAttemptOutcome): string {
  if (outcome.error_message) return String(parseStoredRefusal(outcome.error_message));
  const body = outcome.response_body_truncated?.replace(/\s+/g, ' ').trim().slice(0, 200);
  return `HTTP ${outcome.status_code}${body ? `: ${body}` : ''}`;
}
