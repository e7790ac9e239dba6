/**
 * The kinds of procedures. `operation` is public: REST exposes it under its method and path, and the dashboard calls
 * the very same one. The others belong to the dashboard alone.
 */
import { TRPCError } from '@trpc/server';
import type { RequiredScope } from '@/modules/api-keys/scopes';
import { AppError, type ErrorCode } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import { assertStorableText } from '@/shared/storable-text';
import { t } from './init';

export const router = t.router;

const signedIn = t.procedure.use(({ ctx, next }) => {
  if (!ctx.scope)
    throw new TRPCError({
      code: 'UNAUTHORIZED',
      cause: new AppError('api_key_missing', { message: 'Sign in first.' }),
    });
  return next({ ctx: { ...ctx, scope: ctx.scope as Scope } });
});

/** Strings that cannot be stored are refused, and a resource's own read-only fields dropped, before the schema looks. */
function cleanInput(ignored: readonly string[]) {
  return t.middleware(async ({ getRawInput, next }) => {
    const raw = await getRawInput();
    assertStorableText(raw);
    if (ignored.length === 0 || raw === null || typeof raw !== 'object' || Array.isArray(raw)) return next();
    const kept = Object.fromEntries(Object.entries(raw).filter(([key]) => !ignored.includes(key)));
    return next({ getRawInput: async () => kept } as never);
  });
}

export interface OperationDefinition {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: `/${string}`;
  tag: string;
  summary: string;
  description?: string;
  scope: RequiredScope;
  pro_only?: boolean;
  success_status?: 200 | 201 | 202 | 204 | 302;
  stability?: 'stable' | 'beta';
  errors?: readonly ErrorCode[];
  ignored_fields?: readonly string[];
  secret_response?: boolean;
  etag?: boolean;
}

/** A public operation of `/v1` (specification, "Endpoints"). Its meta is all the bridge and the documentation know of it. */
export function operation(definition: OperationDefinition) {
  const { method, path, tag, summary, description, scope } = definition;
  return signedIn
    .meta({
      openapi: { method, path, tags: [tag], summary, description, protect: true },
      operation: {
        scope,
        pro_only: definition.pro_only ?? false,
        success_status: definition.success_status ?? 200,
        stability: definition.stability ?? 'stable',
        errors: definition.errors ?? [],
        ignored_fields: definition.ignored_fields ?? [],
        secret_response: definition.secret_response ?? false,
        etag: definition.etag ?? false,
      },
    })
    .use(cleanInput(definition.ignored_fields ?? []))
    .use(({ ctx, next }) => {
      // The bridge checks the plan before it reads a body; this is the same rule for the dashboard.
      if (definition.pro_only && ctx.plan !== 'pro') throw new AppError('plan_required');
      return next();
    });
}

/** A dashboard procedure: any member of the team. */
export const memberProcedure = signedIn
  .use(({ ctx, next }) => {
    if (!ctx.user) throw new AppError('insufficient_scope', { message: 'This needs a signed-in user.' });
    return next({ ctx: { ...ctx, user: ctx.user } });
  })
  .use(cleanInput([]));

/** A dashboard procedure only the team's owner may call: keys, members, plan, legal hold. */
export const ownerProcedure = memberProcedure.use(({ ctx, next }) => {
  if (ctx.user.role !== 'owner')
    throw new AppError('insufficient_scope', { message: 'Only the account owner can do this.' });
  return next();
});
