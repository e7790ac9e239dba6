/** The only initTRPC. No transformer: the dashboard sees the same JSON as a REST caller, so the two cannot drift. */
import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import type { ApiContext } from './context';
import { toAppError } from './error-translation';
import type { OperationMeta } from './operation-meta';

export const t = initTRPC
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
