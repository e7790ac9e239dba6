/** The mail outbox in the dashboard. Every member can read it. */
import { z } from 'zod';
import { anyRoleProcedure, coHostProcedure, router } from '@/api/trpc/procedures';
import { listMailTemplates, listOutbox, renderMailTemplate, retrieveMail } from './outbox';
import * as schemas from './schemas';

export const mailRouter = router({
  list: coHostProcedure
    .input(schemas.MailListQuery)
    .output(schemas.OutboxMailPage)
    .query(({ ctx, input }) => listOutbox(ctx.scope, input)),

  retrieve: coHostProcedure
    .input(schemas.MailId)
    .output(schemas.OutboxMailDetail)
    .query(({ ctx, input }) => retrieveMail(ctx.scope, input.id)),

  templates: anyRoleProcedure.output(z.array(schemas.MailTemplate)).query(() => listMailTemplates()),

  preview: anyRoleProcedure
    .input(schemas.MailTemplateRenderingInput)
    .output(schemas.RenderedMailTemplate)
    .query(({ input }) => renderMailTemplate(input.name, input.locale)),
});
