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

export const runsRouter = router({
  overview: operatorProcedure.output(schemas.RunOverview).query(() => service.getRunOverview()),

  list: operatorProcedure
    .input(schemas.RunListQuery)
    .output(schemas.RunPage)
    .query(({ input }) => service.listRuns(input)),

  retrieve: operatorProcedure
    .input(schemas.RunId)
    .output(schemas.RunDetail)
    .query(({ input }) => service.retrieveRun(input.id)),

  retry: operatorProcedure
    .input(schemas.RunId)
    .output(schemas.RunActionResult)
    .mutation(async ({ ctx, input }) => ({ changed: await service.retryRun(input.id, ctx.user.email) })),

  cancel: operatorProcedure
    .input(schemas.RunId)
    .output(schemas.RunActionResult)
    .mutation(async ({ ctx, input }) => ({ changed: await service.cancelRun(input.id, ctx.user.email) })),
});
