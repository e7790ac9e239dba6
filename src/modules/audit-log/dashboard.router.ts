/**
 * The audit log in the dashboard. Only owners can read it, because it shows where members signed
 * in.
 */
import { ownerProcedure, router } from '@/api/trpc/procedures';
import * as schemas from './schemas';
import { listAuditActors, listAuditEntries } from './service';

export const auditLogRouter = router({
  list: ownerProcedure
    .input(schemas.AuditEntryListQuery)
    .output(schemas.AuditEntryListPage)
    .query(({ ctx, input }) => listAuditEntries(ctx.scope, input)),

  actors: ownerProcedure.output(schemas.AuditActorList).query(({ ctx }) => listAuditActors(ctx.scope)),
});
