/** The mail outbox in the dashboard. Every member can read it. */
import { z } from 'zod';
import { anyRoleProcedure, coHostProcedure, router } from '@/api/trpc/procedures';
import { listOutbox, listTemplates, renderTemplate, retrieveMail } from './outbox';
import * as schemas from './schemas';

export const mailRouter = router({
  list: coHostProcedure
    .input(schemas.MailQuery)
    .output(schemas.MailPage)
    .query(({ ctx, input }) => listOutbox(ctx.scope, input)),

  retrieve: coHostProcedure
    .input(schemas.MailId)
    .output(schemas.MailDetail)
    .query(({ ctx, input }) => retrieveMail(ctx.scope, input.id)),

  templates: anyRoleProcedure.output(z.array(schemas.MailTemplate)).query(() => listTemplates()),

  preview: anyRoleProcedure
    .input(schemas.TemplateQuery)
    .output(schemas.RenderedTemplate)
    .query(({ input }) => renderTemplate(input.name, input.locale)),
});
