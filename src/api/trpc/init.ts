/**
 * Calls initTRPC, once for the whole product. There is no transformer: the dashboard gets the same
 * JSON as a REST caller, so the two cannot diverge.
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
  /**
   * Whether the operation returns 402 for a team without the Pro plan (specification, the endpoints
   * that list 402).
   */
  readonly pro_only: boolean;
  /** 200, 201, 202, 204 or 302. */
  readonly success_status: number;
  readonly stability: 'stable' | 'beta';
  /** Error codes beyond those of every operation. */
  readonly errors: readonly ErrorCode[];
  /**
   * The body contains a secret that is shown once, so the stored idempotent answer is encrypted.
   */
  readonly secret_response: boolean;
  /**
   * The operation commits several times by itself with I/O in between, so none of its transactions
   * includes the stored idempotent answer. After a lost answer, the repeated operation must find
   * nothing left to do.
   */
  readonly own_transactions: boolean;
  /** The response has an ETag: GET of a single resource, or a write that returns it. */
  readonly etag: boolean;
  /**
   * The effect of a write. Null for a read. `adds`: creates something that can be removed again.
   * `changes`: overwrites data of the team. `irreversible`: may mail a guest, cancels or deletes
   * something, or sends data elsewhere.
   */
  readonly effect: 'adds' | 'changes' | 'irreversible' | null;
}
