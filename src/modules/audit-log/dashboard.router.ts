/**
 * The audit log in the dashboard. Only owners can read it, because it shows where members signed
 * in.
 */
import { ownerProcedure, router } from '@/api/trpc/procedures';
import * as schemas from './schemas';
import { listActors, listAudit } from './service';

export const auditLogRouter = router({
  list: ownerProcedure
    .input(schemas.AuditQuery)
    .output(schemas.AuditPage)
    .query(({ ctx, input }) => listAudit(ctx.scope, input)),

  actors: ownerProcedure.output(schemas.AuditActors).query(({ ctx }) => listActors(ctx.scope)),
});
