/** Redelivers all events that an endpoint missed since a time, for example after an outage. */
import { notifyRelay } from '@/events/nudge';
import { afterCommit, inTransaction } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import * as repository from './host.repository';
import type { RedeliverCount } from './host.schemas';
import { retrieveEndpoint } from './service';

/**
 * The maximum number of events per call, so that its transaction is short on the embedded database.
 */
export const MOST_AT_ONCE = 1_000;

/** Returns how many events `redeliverFailed` would send again. Throws resource_missing. */
export async function countFailed(scope: Scope, id: string, since: Date): Promise<RedeliverCount> {
  const endpoint = await retrieveEndpoint(scope, id);
  const found = await repository.findUndelivered(scope, endpoint, since, clock().now(), MOST_AT_ONCE + 1);
  return { events: Math.min(found.length, MOST_AT_ONCE), more: found.length > MOST_AT_ONCE };
}

/**
 * Queues a new attempt, due now, for every event since `since` that the endpoint subscribes to and
 * has not accepted. Oldest first, at most `MOST_AT_ONCE`. On a disabled endpoint the attempts wait
 * until it is enabled. Throws resource_missing.
 */
export async function redeliverFailed(scope: Scope, id: string, since: Date): Promise<RedeliverCount> {
  return inTransaction(scope, async () => {
    const endpoint = await retrieveEndpoint(scope, id);
    const now = clock().now();
    const found = await repository.findUndelivered(scope, endpoint, since, now, MOST_AT_ONCE + 1);
    const selected = found.slice(0, MOST_AT_ONCE);
    const pending = selected.flatMap((one) => (one.status === 'pending' && one.delivery_id ? [one.delivery_id] : []));
    if (pending.length > 0) await repository.hastenAttempts(scope, pending, now);
    await repository.insertAttempts(
      scope,
      selected
        .filter((one) => one.status !== 'pending')
        .map((one) => ({
          id: newId('webhook_delivery'),
          event_id: one.event_id,
          endpoint_id: endpoint.id,
          event_type: one.type,
          attempt_number: (one.attempt_number ?? 0) + 1,
          delivery_began_at: now,
          trigger: 'redelivery',
          due_at: now,
          created_at: now,
        })),
    );
    afterCommit(notifyRelay);
    return { events: selected.length, more: found.length > MOST_AT_ONCE };
  });
}
