/** Sends a test event to one endpoint, from the dashboard. */

import type { EventType } from '@/events/catalogue';
import { recordEvent } from '@/events/record';
import type { WebhookDelivery } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { WEBHOOK_RETRY_DELAYS_MS } from './delivery/retry.rules';
import { buildTestEventData } from './event-log/test-event.rules';
import * as repository from './repository';
import { retrieveEndpoint } from './service';

/**
 * Records an event with a sample payload for this endpoint only, and queues one attempt. Ignores
 * the endpoint's subscriptions. Throws resource_missing, and invalid_field when the endpoint is
 * disabled.
 */
export async function sendTestEvent(scope: Scope, endpoint_id: string, type: EventType): Promise<WebhookDelivery> {
  return inTransaction(scope, async () => {
    const endpoint = await retrieveEndpoint(scope, endpoint_id);
    if (endpoint.status !== 'enabled')
      throw new AppError('invalid_field', { message: createRefusal('endpoint_is_disabled'), param: 'id' });
    const now = clock().now();
    const event_id = await recordEvent(scope, {
      type,
      object_id: endpoint.id,
      data: buildTestEventData(type, now),
      relayed: true,
    });
    return repository.insertDelivery(scope, {
      id: newId('webhook_delivery'),
      event_id,
      endpoint_id: endpoint.id,
      event_type: type,
      attempt_number: 1,
      // The attempt counts as the last retry. A failed test is therefore not retried, sends no
      // warning and does not disable the endpoint.
      failures_before: WEBHOOK_RETRY_DELAYS_MS.length,
      delivery_began_at: now,
      trigger: 'test',
      due_at: now,
      created_at: now,
    });
  });
}
