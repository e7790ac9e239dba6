/**
 * Writes what attempts came to, until it is written: results, next attempts, the endpoints' counters and the owner's mails, for a whole
 * batch in one short transaction. Mails are rendered before it, from a plan that is made again under the locks.
 */
import { config } from '@/config';
import { renderEndpointDisabledEmail } from '@/emails/endpoint/disabled';
import { renderEndpointWarningEmail } from '@/emails/endpoint/warning';
import { inSystemTransaction } from '@/infra/db/transaction';
import { logger } from '@/infra/logger';
import { findOwnerEmails } from '@/modules/accounts/owners';
import { queueSystemMail, type RenderedMail } from '@/modules/mail/service';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Outcome } from './attempt';
import * as queue from './queue.repository';
import { type EndpointMail, type Finished, planResults, type ResultPlan } from './results.rules';

/** How often a plan is made again because another process changed the endpoint in between. */
const ATTEMPTS = 5;

interface Rendered {
  to: string[];
  content: RenderedMail;
}

/** Stores the outcomes whose mark is still held. Throws when the database does. */
export async function writeResults(finished: readonly Finished[]): Promise<void> {
  const rendered = new Map<string, Rendered>();
  for (let round = 1; round <= ATTEMPTS; round++) {
    const mails = await tryWrite(finished, rendered);
    if (mails.length === 0) return;
    for (const mail of mails) rendered.set(mailKey(mail), await render(mail));
  }
  throw new Error('The results of webhook attempts could not be stored: the endpoints kept changing.');
}

/** Results are gathered this long, over all endpoints: each transaction costs the same, whatever it holds. */
const GATHER_MS = 10;
const FULL_BATCH = 128;
const LONGEST_WAIT_MS = 5_000;
const REMIND_MS = 60_000;

const gathered: { one: Finished; stored: () => void }[] = [];
let timer: NodeJS.Timeout | undefined;
let writing = false;
let failures = 0;
let said_at = Number.NEGATIVE_INFINITY;

/** Stores an outcome with those of other endpoints that end about now; resolves when it is stored, however often that takes. */
export function storeResult(one: Finished): Promise<void> {
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
  // After a failure one by one: one that cannot be stored must not keep the others from it.
  const batch = failures === 0 ? gathered.splice(0) : gathered.splice(0, 1);
  try {
    await writeResults(batch.map(({ one }) => one));
    failures = 0;
    for (const { stored } of batch) stored();
  } catch (error) {
    failures += 1;
    gathered.push(...batch);
    if (performance.now() - said_at >= REMIND_MS) {
      said_at = performance.now();
      logger().error(
        { err: error, attempts: gathered.length },
        'webhook results could not be stored; they are stored again',
      );
    }
  }
  writing = false;
  schedule();
}

const mailKey = (mail: EndpointMail) => `${mail.kind} ${mail.endpoint.id}`;

/** Raised to roll back: some results are no longer ours, or mails have to be rendered first. */
class Rollback extends Error {
  constructor(readonly mails: EndpointMail[]) {
    super('rolled back');
  }
}

/** Writes and returns no mails, or writes nothing and returns the mails that must be rendered first. */
async function tryWrite(
  finished: readonly Finished[],
  rendered: ReadonlyMap<string, Rendered>,
): Promise<EndpointMail[]> {
  const delays_ms = config().webhook_retry_delays_ms;
  const ids = [...new Set(finished.map(({ delivery }) => delivery.endpoint_id))];
  let owned = finished;
  for (;;) {
    const lost = new Set<string>();
    try {
      await inSystemTransaction(async () => {
        const plan = planResults(owned, await queue.lockEndpoints(ids), delays_ms);
        const unrendered = plan.mails.filter((mail) => !rendered.has(mailKey(mail)));
        if (unrendered.length > 0) throw new Rollback(unrendered);
        const stored = await queue.storeResults(plan.results);
        for (const { id } of plan.results) if (!stored.has(id)) lost.add(id);
        // A lease that ran out went to another process: its result counts, not this one.
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

async function saveConsequences(plan: ResultPlan, rendered: ReadonlyMap<string, Rendered>): Promise<void> {
  const now = clock().now();
  await queue.saveEndpoints(plan.endpoints, now);
  await queue.insertAttempts(
    plan.next.map((next) => ({ ...next, id: newId('webhook_delivery'), created_at: now.toISOString() })),
  );
  for (const mail of plan.mails) {
    const { to, content } = rendered.get(mailKey(mail)) as Rendered;
    for (const address of to) {
      await queueSystemMail(mail.endpoint, { ...content, template: mail.kind, to: address });
    }
  }
}

async function render(mail: EndpointMail): Promise<Rendered> {
  const { endpoint } = mail;
  const shared = {
    endpoint_url: endpoint.url,
    failed_attempts: mail.failures,
    last_error: errorText(mail.outcome),
    dashboard_url: `${config().app_url}/developers/webhooks/${endpoint.id}`,
  };
  const content =
    mail.kind === 'endpoint_disabled'
      ? await renderEndpointDisabledEmail({ ...shared, failing_since: endpoint.failing_since })
      : await renderEndpointWarningEmail({
          ...shared,
          event_type: mail.event_type,
          disabled_after: mail.disabled_after,
          next_retry_at: mail.retry_at,
        });
  return { to: await findOwnerEmails(endpoint.team_id), content };
}

/** The last error in words for the owner. */
export function errorText(outcome: Outcome): string {
  if (outcome.error_message) return outcome.error_message;
  const body = outcome.response_body_truncated?.replace(/\s+/g, ' ').trim().slice(0, 200);
  return `HTTP ${outcome.status_code}${body ? `: ${body}` : ''}`;
}
