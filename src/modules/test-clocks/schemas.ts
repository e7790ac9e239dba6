/** Schemas of TestClock, which gives properties in test mode a time of their own. Beta. */
import { z } from 'zod';
import {
  createInvalidValueMessage,
  defineDeletionResponse,
  defineListEnvelope,
  defineRequestInput,
  endingBeforeCursorField,
  idField,
  listLimitField,
  objectTypeField,
  singleLineTextField,
  startingAfterCursorField,
  timestampField,
  urlPathIdField,
} from '@/shared/schemas';

const EARLIEST = '2000-01-01T00:00:00.000Z';
const LATEST = '2100-01-01T00:00:00.000Z';
const RANGE = 'must be between the years 2000 and 2100';

/** A time to which a clock can be set. */
const moment = z.iso
  .datetime({ offset: true, error: createInvalidValueMessage('must be an ISO 8601 date-time') })
  .refine((text) => {
    const time = new Date(text).getTime();
    return time >= Date.parse(EARLIEST) && time < Date.parse(LATEST);
  }, RANGE);

const name = singleLineTextField(120).nullable();

export const TestClock = z
  .object({
    id: idField('test_clock', 'The clock’s id.'),
    object: objectTypeField('test_clock'),
    name: z.string().nullable().meta({ description: 'A name for the clock.', example: 'A stay from send to expiry' }),
    frozen_time: timestampField('The time on this clock. It does not change until the clock is advanced.'),
    status: z.enum(['ready', 'advancing']).meta({
      description:
        '`advancing` while the work that falls due is being done. `frozen_time` then shows how far the clock has come.',
    }),
    target_time: timestampField('The time that the clock is being advanced to. Null when it is `ready`.').nullable(),
    property_ids: z
      .array(idField('property', 'A property’s id.'))
      .meta({ description: 'The properties that use this clock.' }),
    created_at: timestampField('When it was created, in real time.'),
    updated_at: timestampField('When it last changed, in real time.'),
  })
  .meta({
    id: 'TestClock',
    description:
      'A clock that sets the time of properties in test mode. It does not change until it is advanced. Then everything that would have happened in that time happens, in order and each at its own time. Beta.',
  });
export type TestClock = z.infer<typeof TestClock>;

export const TestClockCreate = defineRequestInput(
  z.strictObject({
    object: objectTypeField('test_clock').optional(),
    name: name.meta({ description: 'A name for the clock.', example: 'A stay from send to expiry' }).optional(),
    frozen_time: moment
      .meta({
        description: 'The clock’s initial time, from the year 2000 to 2099. Defaults to the real time.',
        example: '2030-12-01T09:00:00Z',
      })
      .optional(),
  }),
);
export type TestClockCreate = z.infer<typeof TestClockCreate>;

export const TestClockAdvance = defineRequestInput(
  z.strictObject({
    id: urlPathIdField('test_clock', 'The clock’s id.'),
    frozen_time: moment.meta({
      description:
        'The time to advance to: later than the clock’s time, at most two years ahead, and before the year 2100.',
      example: '2030-12-24T15:00:00Z',
    }),
  }),
);

export const TestClockId = z.strictObject({ id: urlPathIdField('test_clock', 'The clock’s id.') });
export const TestClockListQuery = z.strictObject({
  limit: listLimitField,
  starting_after: startingAfterCursorField,
  ending_before: endingBeforeCursorField,
});
export type TestClockListQuery = z.infer<typeof TestClockListQuery>;
export const TestClockList = defineListEnvelope(TestClock, 'TestClockList');
export const TestClockDeleted = defineDeletionResponse('test_clock', 'TestClockDeleted');
