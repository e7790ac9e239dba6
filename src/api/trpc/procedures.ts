/**
 * The kinds of procedures. `operation` is public: REST exposes it under its method and path, and the dashboard calls
 * the very same one. The others belong to the dashboard alone.
 */

import { TRPCError } from '@trpc/server';
import type { RequiredScope } from '@/modules/api-keys/scopes';
import { AppError, type ErrorCode } from '@/shared/errors';
import { refusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { assertStorableText } from '@/shared/text/storable-text';
import { asCaller, isHost } from './host-part';
import { t } from './init';
import type { OperationMeta } from './operation-meta';

export const { router, mergeRouters } = t;

function scopeOf(scope: Scope | null): Scope {
  if (scope) return scope;
  throw new TRPCError({
    code: 'UNAUTHORIZED',
    cause: new AppError('api_key_missing', { message: refusal('sign_in_first') }),
  });
}

/** A body that cannot be read is the caller's fault. Strings that cannot be stored are refused before the schema looks. */
async function readInput(getRawInput: () => Promise<unknown>): Promise<unknown> {
  const raw = await getRawInput().catch((cause) => {
    throw new AppError('invalid_json', { internal: cause });
  });
  assertStorableText(raw);
  return raw;
}

/** What comes before every procedure, in one middleware, because each of them costs a copy of the context and the call. */
const entered = t.procedure.use(async ({ ctx, getRawInput, next }) => {
  const scope = scopeOf(ctx.scope);
  const by_host = isHost(ctx);
  const input = await readInput(getRawInput);
  // tRPC takes both at once; its types know them one by one.
  const known = { ctx: { scope, by_host }, getRawInput: async () => input };
  return asCaller(by_host, () => next(known as { ctx: { scope: Scope; by_host: boolean } }));
});

/** For callers who are in no team yet; what it asks of them is its own. */
export const openProcedure = t.procedure.use(async ({ getRawInput, next }) => {
  const input = await readInput(getRawInput);
  return next({ getRawInput: async () => input });
});

/** A write has to say what it may do: assistants ask their users by it. */
type MethodAndEffect =
  | { method: 'GET'; effect?: never }
  | { method: 'POST' | 'PATCH' | 'PUT' | 'DELETE'; effect: NonNullable<OperationMeta['effect']> };

export type OperationDefinition = MethodAndEffect & OperationSettings;

interface OperationSettings {
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  scope: RequiredScope;
  /** For partners: the bridge checks it before it reads a body. In the dashboard the plan's limits hold (plans.rules.ts). */
  pro_only?: boolean;
  success_status?: 200 | 201 | 202 | 204 | 302;
  stability?: 'stable' | 'beta';
  errors?: readonly ErrorCode[];
  secret_response?: boolean;
  own_transactions?: boolean;
  etag?: boolean;
}

/** A public operation of `/v1` (specification, "Endpoints"). Its meta is all the bridge and the documentation know of it. */
export function operation(definition: OperationDefinition) {
  const { method, path, tag, summary, description, scope } = definition;
  return entered.meta({
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

/** A dashboard procedure: any member of the team. */
export const memberProcedure = entered.use(({ ctx, next }) => {
  if (!ctx.user) throw new AppError('insufficient_scope', { message: refusal('needs_a_user') });
  return next({ ctx: { user: ctx.user } });
});

/** A dashboard procedure only the team's owner may call: keys, members, plan, legal hold. */
export const ownerProcedure = memberProcedure.use(({ ctx, next }) => {
  if (ctx.user.role !== 'owner') throw new AppError('insufficient_scope', { message: refusal('only_the_owner') });
  return next();
});
