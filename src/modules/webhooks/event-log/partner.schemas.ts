/** Events as partners list them: each as it is delivered. Beta. */
import { z } from 'zod';
import { endingBefore, idOf, listLimit, listOf, pathId, startingAfter, timestamp } from '@/shared/schemas';
import { EventTypeName } from './schemas';

export const RecordedEvent = z
  .object({
    id: idOf('event', 'The event’s id.'),
    object: z.literal('event').meta({ description: 'Always `event`.' }),
    type: z.string().meta({ description: 'What happened.', example: 'reservation.signed' }),
    created_at: timestamp('When it was recorded, in real time.'),
    livemode: z.boolean().meta({ description: 'Whether it is about live data.' }),
    sequence: z.int().meta({ description: 'Grows in the order of commits, in each mode.', example: 42 }),
    data: z
      .looseObject({ object: z.looseObject({}).meta({ description: 'The resource as the API shows it.' }) })
      .meta({ description: 'As in the delivery: see the events of the documentation.' }),
  })
  .meta({ id: 'RecordedEvent', description: 'An event with the body that every delivery of it sends. Beta.' });

export const EventListQuery = z.strictObject({
  limit: listLimit,
  starting_after: startingAfter,
  ending_before: endingBefore,
  type: EventTypeName.meta({ description: 'Only events of this type.', example: 'reservation.signed' }).optional(),
});
export type EventListQuery = z.infer<typeof EventListQuery>;
export const EventList = listOf(RecordedEvent, 'EventList');
export const RecordedEventId = z.strictObject({ id: pathId('event', 'The event’s id.') });
