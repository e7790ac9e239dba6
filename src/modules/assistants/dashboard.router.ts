/** The members' AI assistants. Consent itself is a POST to the OAuth provider (http.ts). */
import { z } from 'zod';
import { anyRoleProcedure, developerProcedure, router } from '@/api/trpc/procedures';
import { AssistantClient, AssistantClientId, AssistantConnection, AssistantConnectionId } from './schemas';
import * as service from './service';

export const assistantsRouter = router({
  client: developerProcedure
    .input(AssistantClientId)
    .output(AssistantClient)
    .query(({ input }) => service.retrieveOauthClient(input.client_id)),

  // The list is open to every role, because members who may no longer connect assistants must be
  // able to disconnect earlier ones.
  list: anyRoleProcedure
    .output(z.array(AssistantConnection))
    .query(({ ctx }) => service.listAssistantConnections(ctx.scope, ctx.user)),

  revoke: anyRoleProcedure
    .input(AssistantConnectionId)
    .output(AssistantConnectionId)
    .mutation(async ({ ctx, input }) => {
      await service.revokeAssistantConnection(ctx.scope, ctx.user, input.id);
      return input;
    }),
});
