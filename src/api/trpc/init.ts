/**
 * Creates the only tRPC instance of the product. It has no transformer, so the dashboard gets the
 * same JSON as a REST caller.
 */
import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import type { RequiredScope } from '@/modules/api-keys/scopes';
import type { ErrorCode } from '@/shared/errors';
import type { ApiContext } from './context';
import { toAppError } from './error-translation';

export const trpcBuilder = initTRPC
  .context<ApiContext>()
  .meta<OpenApiMeta & { operation?: OperationMeta }>()
  .create({
    isServer: true,
    errorFormatter({ shape, error, ctx }) {
      const app = toAppError(error);
      const message = (app.refusal && ctx?.translate?.(app.refusal)) ?? app.message;
      const { stack: _never, ...data } = shape.data as typeof shape.data & { stack?: string };
      return {
        ...shape,
        message,
        data: {
          ...data,
          httpStatus: app.definition.status,
          error: {
            type: app.definition.type,
            code: app.code,
            message,
            param: app.param,
            request_id: ctx?.request_id ?? null,
          },
        },
      };
    },
  });

export interface OperationMeta {
  /** The scope that a restricted key needs. */
  readonly scope: RequiredScope;
  /** Whether the operation returns 402 for a team without the Pro plan. */
  readonly pro_only: boolean;
  /** The HTTP status of a successful response: 200, 201, 202, 204 or 302. */
  readonly success_status: number;
  readonly stability: 'stable' | 'beta';
  /** Error codes in addition to the codes that every operation can return. */
  readonly errors: readonly ErrorCode[];
  /**
   * Whether the body contains a secret that is shown only once. The stored idempotent answer is
   * then encrypted.
   */
  readonly secret_response: boolean;
  /**
   * Whether the operation commits several transactions with I/O in between. The idempotent answer
   * is then stored after them. A crash may lose the answer, so a repeated operation must find
   * nothing left to do.
   */
  readonly own_transactions: boolean;
  /** Whether the response has an ETag: a GET of a single resource, or a write that returns it. */
  readonly etag: boolean;
  /**
   * The effect of a write. Null for a read. `adds`: creates something that can be removed again.
   * `changes`: overwrites data of the team. `irreversible`: may mail a guest, cancels or deletes
   * something, or sends data elsewhere.
   */
  readonly effect: 'adds' | 'changes' | 'irreversible' | null;
}
