/** The API's operations on test clocks. Beta. */
import { defineApiOperation, router } from '@/api/trpc/procedures';
import { toListEnvelope } from '@/shared/lists/pagination';
import * as schemas from './schemas';
import * as service from './service';

const tag = 'Test clocks';
const stability = 'beta' as const;
const read = { method: 'GET', tag, stability, scope: 'test_clocks:read' } as const;
const write = { tag, stability, scope: 'test_clocks:write' } as const;

export const testClocksRouter = router({
  list: defineApiOperation({ ...read, path: '/test_clocks', summary: 'List test clocks' })
    .input(schemas.TestClockListQuery)
    .output(schemas.TestClockList)
    .query(async ({ ctx, input }) =>
      toListEnvelope(await service.listTestClocks(ctx.scope, input), '/v1/test_clocks', service.serializeTestClock),
    ),

  create: defineApiOperation({
    ...write,
    method: 'POST',
    path: '/test_clocks',
    effect: 'adds',
    success_status: 201,
    summary: 'Create a test clock',
    description:
      'In test mode only. A property uses the clock when its `test_clock_id` is the clock’s id. An account can have ten clocks.',
    errors: ['test_mode_only', 'test_clock_limit_reached'],
    etag: true,
  })
    .input(schemas.TestClockCreate)
    .output(schemas.TestClock)
    .mutation(async ({ ctx, input }) => service.serializeTestClock(await service.createTestClock(ctx.scope, input))),

  retrieve: defineApiOperation({
    ...read,
    path: '/test_clocks/{id}',
    summary: 'Retrieve a test clock',
    errors: ['resource_missing'],
    etag: true,
  })
    .input(schemas.TestClockId)
    .output(schemas.TestClock)
    .query(async ({ ctx, input }) => service.serializeTestClock(await service.retrieveTestClock(ctx.scope, input.id))),

  advance: defineApiOperation({
    ...write,
    method: 'POST',
    path: '/test_clocks/{id}/advance',
    effect: 'irreversible',
    summary: 'Advance a test clock',
    description:
      'Returns immediately, with the `status` `advancing`. The clock becomes `ready` when all work due up to the new time is done, in order and each at its own time.',
    errors: ['resource_missing', 'test_clock_advancing'],
  })
    .input(schemas.TestClockAdvance)
    .output(schemas.TestClock)
    .mutation(async ({ ctx, input }) =>
      service.serializeTestClock(await service.advanceTestClock(ctx.scope, input.id, input.frozen_time)),
    ),

  delete: defineApiOperation({
    ...write,
    method: 'DELETE',
    path: '/test_clocks/{id}',
    effect: 'irreversible',
    summary: 'Delete a test clock',
    description: 'Its properties are kept and use the real time again.',
    errors: ['resource_missing', 'etag_mismatch'],
  })
    .input(schemas.TestClockId)
    .output(schemas.TestClockDeleted)
    .mutation(async ({ ctx, input }) => {
      await service.deleteTestClock(ctx.scope, input.id, ctx.if_match);
      return { id: input.id, object: 'test_clock', deleted: true };
    }),
});
