/** API keys in the dashboard. Managers list them. Owners and developers change them. */
import { z } from 'zod';
import { developerProcedure, manageIntegrationsProcedure, router } from '@/api/trpc/procedures';
import { clock } from '@/shared/clock';
import { allowDeviceLogin, findDeviceLogin, refuseDeviceLogin } from './device-login/device-login';
import { DeviceLoginApprovalInput, DeviceLoginUserCodeInput, PendingDeviceLogin } from './device-login/schemas';
import { MAX_API_KEYS_PER_MODE } from './rules';
import * as schemas from './schemas';
import { serializeApiKey } from './serializer';
import * as service from './service';

export const apiKeysRouter = router({
  list: developerProcedure.output(schemas.ApiKeyList).query(async ({ ctx }) => {
    const now = clock().now();
    const data = (await service.listApiKeys(ctx.scope)).map((row) => serializeApiKey(row, now));
    return { data, active: data.filter((key) => key.state === 'active').length, limit: MAX_API_KEYS_PER_MODE };
  }),

  usage: developerProcedure
    .input(schemas.ApiKeyId)
    .output(schemas.ApiKeyUsage)
    .query(({ ctx, input }) => service.getApiKeyUsage(ctx.scope, input.id)),

  create: manageIntegrationsProcedure
    .input(schemas.ApiKeyCreate)
    .output(schemas.CreatedApiKey)
    .mutation(async ({ ctx, input }) => {
      const { row, key } = await service.createApiKey(ctx.scope, { ...input, created_by: ctx.user.id });
      return { api_key: serializeApiKey(row, clock().now()), key };
    }),

  rotate: manageIntegrationsProcedure
    .input(schemas.ApiKeyId)
    .output(schemas.ApiKeyRotationResult)
    .mutation(async ({ ctx, input }) => {
      const { row, key, old_expires_at } = await service.rotateApiKey(ctx.scope, input.id);
      return { api_key: serializeApiKey(row, clock().now()), key, old_expires_at: old_expires_at.toISOString() };
    }),

  revoke: manageIntegrationsProcedure
    .input(schemas.ApiKeyId)
    .output(schemas.ApiKeyId)
    .mutation(async ({ ctx, input }) => {
      await service.revokeApiKey(ctx.scope, input.id);
      return input;
    }),

  // These procedures are mutations because a query would put the user's code into a URL.
  find_device: manageIntegrationsProcedure
    .input(DeviceLoginUserCodeInput)
    .output(PendingDeviceLogin)
    .mutation(async ({ ctx, input }) => {
      const found = await findDeviceLogin(ctx.scope, ctx.user, input.user_code);
      return { ...found, expires_at: found.expires_at.toISOString() };
    }),

  allow_device: manageIntegrationsProcedure
    .input(DeviceLoginApprovalInput)
    .output(z.void())
    .mutation(({ ctx, input: { user_code, ...grant } }) => allowDeviceLogin(ctx.scope, ctx.user, user_code, grant)),

  refuse_device: manageIntegrationsProcedure
    .input(DeviceLoginUserCodeInput)
    .output(z.void())
    .mutation(({ ctx, input }) => refuseDeviceLogin(ctx.scope, ctx.user, input.user_code)),
});
