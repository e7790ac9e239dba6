/** Inputs and outputs of events that only the dashboard has. */
import { z } from 'zod';
import { pastedIdField } from '@/shared/schemas';
import { EventList, RecordedEvent, RecordedEventListQuery } from './schemas';

const date_time = z.iso.datetime();

export const HostEventId = z.strictObject({ id: pastedIdField });

export const HostEventListQuery = RecordedEventListQuery.extend({
  object_id: pastedIdField.optional(),
  /** The id of the `/v1` request that caused the events. */
  request_id: pastedIdField.optional(),
  /** Selects events that occurred at or after `from` and before `to`. */
  from: date_time.optional(),
  to: date_time.optional(),
});
export type HostEventListQuery = z.infer<typeof HostEventListQuery>;

export const HostEvent = RecordedEvent.extend({
  object_id: z.string(),
  /** Whether a developer sent this as a test event to one endpoint. */
  test: z.boolean(),
  /**
   * The id of the `/v1` request that caused the event. Null when a guest, a calendar or the
   * dashboard caused it.
   */
  request_id: z.string().nullable(),
}).meta({ id: 'HostEvent' });
export type HostEvent = z.infer<typeof HostEvent>;

export const HostEventList = EventList.extend({ data: z.array(HostEvent) });

export const EventDetail = HostEvent.extend({
  /** The exact body that every delivery sends. */
  body: z.string(),
  /** The latest attempt at each endpoint to which the event was sent. */
  deliveries: z.array(
    z.object({
      id: z.string(),
      endpoint_id: z.string(),
      endpoint_status: z.enum(['enabled', 'disabled', 'auto_disabled']),
      url: z.string(),
      description: z.string().nullable(),
      status: z.enum(['pending', 'succeeded', 'failed']),
      status_code: z.int().nullable(),
      error_kind: z.string().nullable(),
      due_at: date_time,
      attempt_number: z.int(),
      created_at: date_time,
    }),
  ),
}).meta({ id: 'EventDetail' });
