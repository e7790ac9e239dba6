/** Events as webhooks deliver them. events/record.ts writes them. Beta. */
import { z } from 'zod';
import { EVENT_TYPE_NAMES, type EventType } from '@/events/catalogue';
import {
  defineListEnvelope,
  endingBeforeCursorField,
  idField,
  listLimitField,
  startingAfterCursorField,
  timestampField,
  urlPathIdField,
} from '@/shared/schemas';

const EventTypeName = z.enum(EVENT_TYPE_NAMES as [EventType, ...EventType[]]);

export const RecordedEvent = z
  .object({
    id: idField('event', 'The event’s id.'),
    object: z.literal('event').meta({ description: 'Always `event`.' }),
    type: z.string().meta({ description: 'What happened.', example: 'reservation.signed' }),
    created_at: timestampField('When it was recorded, in real time.'),
    livemode: z.boolean().meta({ description: 'Whether it is about live data.' }),
    sequence: z.int().meta({ description: 'Increases in commit order, separately for each mode.', example: 42 }),
    data: z
      .looseObject({ object: z.looseObject({}).meta({ description: 'The resource as the API shows it.' }) })
      .meta({ description: 'The same data as in the delivery. See “Events” in the documentation.' }),
  })
  .meta({ id: 'RecordedEvent', description: 'A recorded event, with the body that every delivery sends. Beta.' });

export const RecordedEventListQuery = z.strictObject({
  limit: listLimitField,
  starting_after: startingAfterCursorField,
  ending_before: endingBeforeCursorField,
  type: EventTypeName.meta({ description: 'Only events of this type.', example: 'reservation.signed' }).optional(),
});
export const EventList = defineListEnvelope(RecordedEvent, 'EventList');
export const RecordedEventId = z.strictObject({ id: urlPathIdField('event', 'The event’s id.') });
