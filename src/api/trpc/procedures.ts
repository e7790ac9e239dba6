/**
 * Defines the kinds of procedures. A procedure of `defineApiOperation` is public: REST exposes it
 * under its method and path, and the dashboard calls it too. All other kinds are only for the
 * dashboard.
 */

import { TRPCError } from '@trpc/server';
import { isScopeGranted, type RequiredScope } from '@/modules/api-keys/scopes';
import { assertMemberCanManageIntegrations } from '@/shared/assert-may-connect';
import { AppError, type ErrorCode } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import { isRoleAllowed, shouldMaskGuestData } from '@/shared/roles';
import type { Role, Scope } from '@/shared/scope';
import { assertStorableText } from '@/shared/text/storable-text';
import { isSignedInDashboardRequest, runWithHostOrPartnerSchemas } from './host-part';
import { type OperationMeta, trpcBuilder } from './init';
import { maskGuestFields } from './mask-guests';
import { getRoleScopes } from './role-scopes';

export const { router, mergeRouters } = trpcBuilder;

function scopeOf(scope: Scope | null): Scope {
  if (scope) return scope;
  throw new TRPCError({
    code: 'UNAUTHORIZED',
    cause: new AppError('api_key_missing', { message: createRefusal('sign_in_first') }),
  });
}

/** Returns the input. Throws for an unreadable body, and for text that cannot be stored. */
async function readInput(getRawInput: () => Promise<unknown>): Promise<unknown> {
  const raw = await getRawInput().catch((cause) => {
    throw new AppError('invalid_json', { internal: cause });
  });
  assertStorableText(raw);
  return raw;
}

/**
 * The checks that all procedures share. They are one middleware, because each further middleware
 * would copy the context again.
 */
const baseProcedure = trpcBuilder.procedure.use(async ({ ctx, meta, getRawInput, next }) => {
  const scope = scopeOf(ctx.scope);
  const by_host = isSignedInDashboardRequest(ctx);
  // The role of a dashboard user must include the scope that a key would need.
  if (ctx.user && meta?.operation && !isScopeGranted(getRoleScopes(ctx.user.role, scope.mode), meta.operation.scope))
    throw roleRefused();
  const input = await readInput(getRawInput);
  // tRPC accepts `ctx` and `getRawInput` together, but its types do not.
  const known = { ctx: { scope, by_host }, getRawInput: async () => input };
  const result = await runWithHostOrPartnerSchemas(by_host, () =>
    next(known as { ctx: { scope: Scope; by_host: boolean } }),
  );
  return result.ok && shouldMaskGuestData(scope) ? { ...result, data: maskGuestFields(result.data) } : result;
});

const roleRefused = () => new AppError('insufficient_scope', { message: createRefusal('role_may_not') });

/** Defines a procedure for callers without a team. Each such procedure checks its caller itself. */
export const teamlessProcedure = trpcBuilder.procedure.use(async ({ getRawInput, next }) => {
  const input = await readInput(getRawInput);
  return next({ getRawInput: async () => input });
});

/** A write must declare its effect, because assistants use it to ask their users for permission. */
type MethodAndEffect =
  | { method: 'GET'; effect?: never }
  | { method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'; effect: NonNullable<OperationMeta['effect']> };

export type ApiOperationDefinition = MethodAndEffect & OperationSettings;

interface OperationSettings {
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  scope: RequiredScope;
  /**
   * Whether API calls of teams without the Pro plan are refused, before their body is read. In the
   * dashboard, plans.rules.ts defines the limits of each plan.
   */
  pro_only?: boolean;
  success_status?: 200 | 201 | 202 | 204 | 302;
  stability?: 'stable' | 'beta';
  errors?: readonly ErrorCode[];
  secret_response?: boolean;
  own_transactions?: boolean;
  etag?: boolean;
}

/** Defines a public operation of `/v1` (specification, "Endpoints"). */
export function defineApiOperation(definition: ApiOperationDefinition) {
  const { method, path, tag, summary, description, scope } = definition;
  return baseProcedure.meta({
    openapi: { method, path, tags: [tag], summary, description, protect: true },
    operation: {
      scope,
      pro_only: definition.pro_only ?? false,
      success_status: definition.success_status ?? 200,
      stability: definition.stability ?? 'stable',
      errors: definition.errors ?? [],
      secret_response: definition.secret_response ?? false,
      own_transactions: definition.own_transactions ?? false,
      etag: definition.etag ?? false,
      effect: definition.effect ?? null,
    },
  });
}

const userProcedure = baseProcedure.use(({ ctx, next }) => {
  if (!ctx.user) throw new AppError('insufficient_scope', { message: createRefusal('needs_a_user') });
  return next({ ctx: { user: ctx.user } });
});

/** Defines a dashboard procedure for these roles. */
const roleProcedure = (...roles: Role[]) =>
  userProcedure.use(({ ctx, next }) => {
    if (!isRoleAllowed(ctx.user.role, ctx.scope.mode, roles)) throw roleRefused();
    return next();
  });

/** Defines the usual dashboard procedure, for owners and managers. */
export const memberProcedure = roleProcedure('owner', 'manager');

/** Defines a procedure for owners and managers that affects both test and live mode. */
export const liveAndTestModeProcedure = userProcedure.use(({ ctx, next }) => {
  // A developer may do more in test mode than in live mode, so the live rights are checked.
  if (!isRoleAllowed(ctx.user.role, 'live', ['owner', 'manager'])) throw roleRefused();
  return next();
});

/**
 * Defines a procedure that co-hosts may call too. Their scope is limited to the assigned
 * properties.
 */
export const coHostProcedure = roleProcedure('owner', 'manager', 'co_host');

/**
 * Defines a procedure for developers too. Guests' data is masked, unless an owner allows the
 * developer to see it.
 */
export const developerProcedure = roleProcedure('owner', 'manager', 'developer');

/** Defines a procedure for every role, for example for a member's own settings. */
export const anyRoleProcedure = roleProcedure('owner', 'manager', 'co_host', 'developer');

/**
 * Defines a procedure for actions that may send the team's data elsewhere, such as creating API
 * keys or changing webhook endpoints.
 */
export const manageIntegrationsProcedure = roleProcedure('owner', 'developer').use(({ ctx, next }) => {
  assertMemberCanManageIntegrations(ctx.scope);
  return next();
});

/**
 * Defines a procedure only for the team's owner, for example for members, the plan or a legal hold.
 */
export const ownerProcedure = userProcedure.use(({ ctx, next }) => {
  if (ctx.user.role !== 'owner') throw new AppError('insufficient_scope', { message: createRefusal('only_the_owner') });
  return next();
});
