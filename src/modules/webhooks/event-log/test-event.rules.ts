/**
 * Test events: what a developer sends to one endpoint to see it arrive. A test event is a real row with a body of the
 * real shape, but it is about nothing: its `object_id` is the endpoint it was sent to, which no other event's is. By
 * that it is told from the others, which go to every endpoint that wants them. Its `data` carries `test_event: true`,
 * so that a receiver can tell too.
 */
import type { EventData, EventType } from '@/events/catalogue';
import { ID_PREFIXES } from '@/shared/id-kinds';
import { samplePayload } from './sample-payloads';

/** Whether an event's `object_id` is that of a test event. */
export function isTestObject(object_id: string): boolean {
  return object_id.startsWith(ID_PREFIXES.webhook_endpoint);
}

/** The `data` of a test event. `now` dates the sample. */
export function testEventData(type: EventType, now: Date): EventData {
  return { ...samplePayload(type, now), test_event: true };
}
