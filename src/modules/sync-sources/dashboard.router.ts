/** Sync source procedures of the dashboard only. router.ts has the operations of the API. */
import { z } from 'zod';
import { coHostProcedure, memberProcedure, router } from '@/api/trpc/procedures';
import { translateMessages } from '@/api/trpc/translate-messages';
import { storeHostAnswerAndRunCalendar } from './answer-calendar-question';
import { previewFeed, simulateSyncRun } from './dry-run';
import * as schemas from './host.schemas';
import * as host from './host.service';

export const syncSourcesDashboardRouter = router({
  /**
   * Fetches a calendar and returns its content and the reservations that connecting it would
   * create. Stores nothing.
   */
  preview: memberProcedure
    .input(schemas.FeedPreviewInput)
    .output(schemas.FeedPreviewResult)
    .mutation(async ({ ctx, input }) => translateMessages(await previewFeed(ctx.scope, input), ctx)),

  /** Fetches a connected calendar and returns what its next run would do. Stores nothing. */
  try_run: memberProcedure
    .input(schemas.PastedSyncSourceId)
    .output(schemas.SyncDryRunResult)
    .mutation(async ({ ctx, input }) => translateMessages(await simulateSyncRun(ctx.scope, input.id), ctx)),

  create: memberProcedure
    .input(schemas.SyncSourceCreate)
    .output(schemas.SyncSourceDetail)
    .mutation(async ({ ctx, input }) => translateMessages(await host.connectSyncSource(ctx.scope, input), ctx)),

  update: memberProcedure
    .input(schemas.SyncSourceUpdate)
    .output(schemas.SyncSourceDetail)
    .mutation(async ({ ctx, input }) => translateMessages(await host.updateSyncSource(ctx.scope, input), ctx)),

  remove: memberProcedure
    .input(schemas.PastedSyncSourceId)
    .output(z.void())
    .mutation(({ ctx, input }) => host.removeSyncSource(ctx.scope, input.id)),

  runs: coHostProcedure
    .input(schemas.PastedSyncSourceId)
    .output(schemas.HostSyncRunList)
    .query(async ({ ctx, input }) => translateMessages({ data: await host.listSyncRuns(ctx.scope, input.id) }, ctx)),

  /** Applies the changes that a run asked about, rejects them, or withdraws earlier rejections. */
  answer: memberProcedure
    .input(schemas.CalendarQuestionAnswerInput)
    .output(schemas.SyncSourceDetail)
    .mutation(async ({ ctx, input }) => translateMessages(await storeHostAnswerAndRunCalendar(ctx.scope, input), ctx)),

  /** Stores a rule that entries with these words are blocks or bookings, or deletes that rule. */
  set_word_rule: memberProcedure
    .input(schemas.FeedEntryClassificationRuleInput)
    .output(schemas.SyncSourceDetail)
    .mutation(async ({ ctx, input }) =>
      translateMessages(await host.setFeedEntryClassificationRule(ctx.scope, input), ctx),
    ),

  upcoming: coHostProcedure
    .input(schemas.PastedSyncSourceId)
    .output(schemas.UpcomingStayList)
    .query(async ({ ctx, input }) => ({ data: await host.listUpcomingStaysOfSyncSource(ctx.scope, input.id) })),

  marks: coHostProcedure
    .input(schemas.PastedSyncSourceId)
    .output(schemas.StayClassificationList)
    .query(({ ctx, input }) => host.listBlockOrBookingClassifications(ctx.scope, input.id)),

  /**
   * Records the host's decision whether the stay on these dates is a block (nights without guests)
   * or a booking.
   */
  mark: memberProcedure
    .input(schemas.StayClassificationInput)
    .output(schemas.StayClassificationList)
    .mutation(({ ctx, input }) => host.classifyStayAsBlockOrBooking(ctx.scope, input)),
});
