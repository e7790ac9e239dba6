/** Events as the dashboard shows them. They are written by src/events/record.ts. */
import { z } from 'zod';
import { EVENT_TYPE_NAMES, type EventType } from '@/events/catalogue';
import { listLimit } from '@/shared/schemas';

const date_time = z.iso.datetime();
export const EventTypeName = z.enum(EVENT_TYPE_NAMES as [EventType, ...EventType[]]);

export const EventQuery = z.strictObject({
  limit: listLimit,
  starting_after: z.string().max(64).optional(),
  ending_before: z.string().max(64).optional(),
  type: EventTypeName.optional(),
  /** The id of what the events are about. */
  object_id: z.string().trim().min(1).max(100).optional(),
  /** The id of the request of `/v1` that they are of. */
  request_id: z.string().trim().min(1).max(100).optional(),
  /** Occurred from then on, and before then. */
  from: date_time.optional(),
  to: date_time.optional(),
});
export type EventQuery = z.infer<typeof EventQuery>;

export const EventEntry = z.object({
  id: z.string(),
  type: z.string(),
  object_id: z.string(),
  sequence: z.int(),
  /** A test event that a developer sent to one endpoint. */
  test: z.boolean(),
  /** Of which request of `/v1`; null for what guests, calendars and the dashboard did. */
  request_id: z.string().nullable(),
  created_at: date_time,
});
export type EventEntry = z.infer<typeof EventEntry>;

export const EventPage = z.object({ data: z.array(EventEntry), has_more: z.boolean() });

export const EventDetail = EventEntry.extend({
  /** The exact text that every delivery sends. */
  body: z.string(),
  /** The latest attempt at each endpoint that got it. */
  deliveries: z.array(
    z.object({
      id: z.string(),
      endpoint_id: z.string(),
      endpoint_status: z.enum(['enabled', 'disabled', 'auto_disabled']),
      url: z.string(),
      /** What the host calls the endpoint. */
      description: z.string().nullable(),
      status: z.enum(['pending', 'succeeded', 'failed']),
      status_code: z.int().nullable(),
      error_kind: z.string().nullable(),
      due_at: date_time,
      attempt_number: z.int(),
      created_at: date_time,
    }),
  ),
});
export type EventDetail = z.infer<typeof EventDetail>;

export const EventId = z.strictObject({ id: z.string().trim().min(1).max(100) });
