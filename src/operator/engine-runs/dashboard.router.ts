/**
 * Procedures of the operator's page for durable work. Team owners have no access, because runs
 * belong to the installation and not to a team.
 */
import { anyRoleProcedure, router } from '@/api/trpc/procedures';
import type { SessionContext } from '@/modules/accounts/session';
import { AppError } from '@/shared/errors';
import * as schemas from './schemas';
import * as service from './service';

const operatorProcedure = anyRoleProcedure.use(({ ctx, next }) => {
  const { me = null } = ctx as typeof ctx & Partial<SessionContext>;
  if (!me?.operator) {
    throw new AppError('insufficient_scope', { message: 'Only an operator of this installation can see this.' });
  }
  return next();
});

export const durableRunsRouter = router({
  overview: operatorProcedure.output(schemas.DurableRunOverview).query(() => service.getDurableRunOverview()),

  list: operatorProcedure
    .input(schemas.DurableRunListQuery)
    .output(schemas.DurableRunListPage)
    .query(({ input }) => service.listDurableRuns(input)),

  retrieve: operatorProcedure
    .input(schemas.DurableRunId)
    .output(schemas.DurableRunDetail)
    .query(({ input }) => service.retrieveDurableRun(input.id)),

  retry: operatorProcedure
    .input(schemas.DurableRunId)
    .output(schemas.DurableRunActionResult)
    .mutation(async ({ ctx, input }) => ({ changed: await service.retryDurableRun(input.id, ctx.user.email) })),

  cancel: operatorProcedure
    .input(schemas.DurableRunId)
    .output(schemas.DurableRunActionResult)
    .mutation(async ({ ctx, input }) => ({ changed: await service.cancelDurableRun(input.id, ctx.user.email) })),
});
