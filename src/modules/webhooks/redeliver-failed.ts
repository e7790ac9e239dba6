/** Redelivers all events that an endpoint missed since a time, for example after an outage. */
import { notifyEventRelay } from '@/events/process-listeners';
import { inTransaction, runAfterCommit } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import * as repository from './host.repository';
import type { RedeliveredEventCount } from './host.schemas';
import { retrieveEndpoint } from './service';

/**
 * The maximum number of events per call. It keeps the transaction short on the embedded database.
 */
export const MAX_REDELIVERED_EVENTS_PER_CALL = 1_000;

/** Returns how many events `redeliverFailedEvents` would send again. Throws resource_missing. */
export async function countEventsToRedeliver(scope: Scope, id: string, since: Date): Promise<RedeliveredEventCount> {
  const endpoint = await retrieveEndpoint(scope, id);
  const found = await repository.findUndeliveredEvents(
    scope,
    endpoint,
    since,
    clock().now(),
    MAX_REDELIVERED_EVENTS_PER_CALL + 1,
  );
  return {
    events: Math.min(found.length, MAX_REDELIVERED_EVENTS_PER_CALL),
    more: found.length > MAX_REDELIVERED_EVENTS_PER_CALL,
  };
}

/**
 * Queues an immediate attempt for every event since `since` that the endpoint subscribes to and has
 * not accepted. Starts with the oldest events and queues at most
 * `MAX_REDELIVERED_EVENTS_PER_CALL`. While the endpoint is disabled, the attempts wait.
 * Throws resource_missing.
 */
export async function redeliverFailedEvents(scope: Scope, id: string, since: Date): Promise<RedeliveredEventCount> {
  return inTransaction(scope, async () => {
    const endpoint = await retrieveEndpoint(scope, id);
    const now = clock().now();
    const found = await repository.findUndeliveredEvents(
      scope,
      endpoint,
      since,
      now,
      MAX_REDELIVERED_EVENTS_PER_CALL + 1,
    );
    const selected = found.slice(0, MAX_REDELIVERED_EVENTS_PER_CALL);
    const pending = selected.flatMap((one) => (one.status === 'pending' && one.delivery_id ? [one.delivery_id] : []));
    if (pending.length > 0) await repository.makePendingDeliveryAttemptsDueNow(scope, pending, now);
    await repository.queueDeliveryAttempts(
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
    runAfterCommit(notifyEventRelay);
    return { events: selected.length, more: found.length > MAX_REDELIVERED_EVENTS_PER_CALL };
  });
}
