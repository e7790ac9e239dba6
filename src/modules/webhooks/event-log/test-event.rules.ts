/**
 * Test events, which a developer sends to one endpoint. A test event is stored like any event, but
 * its `object_id` is the endpoint's id, so that other endpoints do not receive it. Its `data`
 * contains `test_event: true`, by which the receiver can recognize it.
 */
import type { DomainEventData, EventType } from '@/events/catalogue';
import { ID_PREFIXES } from '@/shared/id-kinds';
import { buildSamplePayload } from './sample-payloads';

export function isObjectIdOfWebhookTestEvent(object_id: string): boolean {
  return object_id.startsWith(ID_PREFIXES.webhook_endpoint);
}

/** Returns the `data` of a test event, with a sample payload at `now`. */
export function buildTestEventData(type: EventType, now: Date): DomainEventData {
  return { ...buildSamplePayload(type, now), test_event: true };
}
