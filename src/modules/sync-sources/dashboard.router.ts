/** The dashboard's own procedures on sync sources; those that partners have too are in router.ts. */
import { z } from 'zod';
import { memberProcedure, router } from '@/api/trpc/procedures';
import { answerHeld } from './answer-held';
import { previewFeed, tryRun } from './dry-run';
import * as schemas from './host.schemas';
import * as host from './host.service';

export const syncSourcesDashboardRouter = router({
  /** Fetches a calendar and says what it holds and what connecting would create; stores nothing. */
  preview: memberProcedure
    .input(schemas.FeedPreviewInput)
    .output(schemas.FeedPreviewResult)
    .mutation(({ ctx, input }) => previewFeed(ctx.scope, input)),

  /** Fetches a connected calendar and says what its next run would do; stores nothing. */
  try_run: memberProcedure
    .input(schemas.SourceId)
    .output(schemas.DryRunResult)
    .mutation(({ ctx, input }) => tryRun(ctx.scope, input.id)),

  create: memberProcedure
    .input(schemas.SourceCreate)
    .output(schemas.SourceDetail)
    .mutation(({ ctx, input }) => host.connectSource(ctx.scope, input)),

  update: memberProcedure
    .input(schemas.SourceUpdate)
    .output(schemas.SourceDetail)
    .mutation(({ ctx, input }) => host.updateSource(ctx.scope, input)),

  remove: memberProcedure
    .input(schemas.SourceId)
    .output(z.void())
    .mutation(({ ctx, input }) => host.removeSource(ctx.scope, input.id)),

  runs: memberProcedure
    .input(schemas.SourceId)
    .output(schemas.SourceRunList)
    .query(async ({ ctx, input }) => ({ data: await host.listRuns(ctx.scope, input.id) })),

  /** Apply what a run asked about, keep all as it is, or be asked again about what was kept. */
  answer: memberProcedure
    .input(schemas.HeldAnswer)
    .output(schemas.SourceDetail)
    .mutation(({ ctx, input }) => answerHeld(ctx.scope, input)),

  /** Remembers what entries of some words are, or forgets it. */
  set_word_rule: memberProcedure
    .input(schemas.WordRuleInput)
    .output(schemas.SourceDetail)
    .mutation(({ ctx, input }) => host.setWordRule(ctx.scope, input)),

  upcoming: memberProcedure
    .input(schemas.SourceId)
    .output(schemas.UpcomingStays)
    .query(async ({ ctx, input }) => ({ data: await host.listUpcoming(ctx.scope, input.id) })),

  marks: memberProcedure
    .input(schemas.SourceId)
    .output(schemas.StayMarks)
    .query(({ ctx, input }) => host.listMarks(ctx.scope, input.id)),

  /** Remembers that a stay is a block or a booking. */
  mark: memberProcedure
    .input(schemas.StayMarkInput)
    .output(schemas.StayMarks)
    .mutation(({ ctx, input }) => host.markStay(ctx.scope, input)),
});
