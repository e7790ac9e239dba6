/**
 * A test event is sent by a developer to one endpoint. It is a real row with a body of the real
 * shape, but its `object_id` is the endpoint's, which is how it is recognised and kept from other
 * endpoints. Its `data` has `test_event: true`, so that a receiver can recognise it too.
 */
import type { EventData, EventType } from '@/events/catalogue';
import { ID_PREFIXES } from '@/shared/id-kinds';
import { samplePayload } from './sample-payloads';

export function isTestObject(object_id: string): boolean {
  return object_id.startsWith(ID_PREFIXES.webhook_endpoint);
}

/** The `data` of a test event, with a sample dated `now`. */
export function testEventData(type: EventType, now: Date): EventData {
  return { ...samplePayload(type, now), test_event: true };
}
