/**
 * The only place that converts errors of zod, tRPC and Prisma to the specification's errors. An
 * unknown error becomes `internal_error`, and only the log contains its cause.
 */

import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { isDatabaseUnavailableError, isDiskFullError } from '@/infra/database-unavailable';
import { isStorageError } from '@/infra/storage/object-store';
import { AppError, ERRORS, type ErrorCode, isAppError } from '@/shared/errors';
import { createRefusal, Refusal } from '@/shared/refusals/refusal';
import { describeSchemaProblem } from '@/shared/refusals/schema-problems';

type Issue = z.core.$ZodIssue;

/**
 * The message for an absent or null value. `codeOf` recognises missing values by this message,
 * because zod issues do not contain the input.
 */
const ABSENT = 'is required';
z.config({ customError: (issue) => (issue.input === undefined || issue.input === null ? ABSENT : undefined) });

/** Formats a path: `['fees', 0, 'label']` -> `fees[0].label`. */
export function toDottedPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text ? `${text}.${String(part)}` : String(part);
  }, '');
}

function codeOf(issue: Issue): ErrorCode {
  const params = issue.code === 'custom' ? (issue.params as { code?: string } | undefined) : undefined;
  if (params?.code && params.code in ERRORS) return params.code as ErrorCode;
  if (issue.code === 'unrecognized_keys') return 'unknown_field';
  if (issue.message === ABSENT) return 'missing_required_field';
  if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1) return 'missing_required_field';
  if (issue.code === 'too_big' && issue.origin === 'array') return 'too_many_items';
  return 'invalid_field';
}

/** Converts the first issue, in field order, to the specification's error. */
export function convertZodErrorToAppError(error: z.core.$ZodError): AppError {
  const issue = error.issues[0];
  if (!issue) return new AppError('invalid_field', { internal: error });
  const code = codeOf(issue);
  if (issue.code === 'unrecognized_keys') {
    const param = toDottedPath([...issue.path, issue.keys[0] ?? '']);
    return new AppError(code, { message: createRefusal('not_a_field', { field: param }), param });
  }
  const param = toDottedPath(issue.path);
  const name = param ? `\`${param}\`` : 'The body';
  if (code === 'missing_required_field')
    return new AppError(code, {
      message: createRefusal('field_is_required', { field: name }),
      param: param || undefined,
    });
  return new AppError(code, { message: messageOf(issue, name), param: param || undefined });
}

function messageOf(issue: Issue, name: string): string | Refusal {
  if (issue.code === 'custom') return (issue.params?.refusal as Refusal | undefined) ?? issue.message;
  const problem = describeSchemaProblem(issue);
  if (!problem || !name.startsWith('`')) return `${name}: ${issue.message}`;
  const wrong = new Refusal(problem.key, problem.values, issue.message);
  return createRefusal('field_is_wrong', { field: name.slice(1, -1), wrong });
}

/** Converts any thrown value to an AppError. `internal` keeps the original for the log. */
export function toAppError(thrown: unknown): AppError {
  if (isAppError(thrown)) return thrown as AppError;
  if (thrown instanceof TRPCError) {
    if (isAppError(thrown.cause)) return thrown.cause as AppError;
    if (thrown.code === 'BAD_REQUEST' && thrown.cause instanceof z.core.$ZodError)
      return convertZodErrorToAppError(thrown.cause);
    if (thrown.code === 'PARSE_ERROR') return new AppError('invalid_json', { internal: thrown });
    if (thrown.code === 'NOT_FOUND') return new AppError('route_not_found', { internal: thrown });
    if (thrown.code === 'METHOD_NOT_SUPPORTED') return new AppError('method_not_allowed', { internal: thrown });
    if (thrown.code === 'UNSUPPORTED_MEDIA_TYPE') return new AppError('unsupported_media_type', { internal: thrown });
    if (thrown.code === 'PAYLOAD_TOO_LARGE') return new AppError('request_too_large', { internal: thrown });
    return toAppError(thrown.cause ?? new Error(thrown.message));
  }
  return fromDatabaseError(thrown) ?? new AppError('internal_error', { internal: thrown });
}

const DISK_FULL = 'The service’s disk is full. Reading works, but changes are refused.';

function fromDatabaseError(thrown: unknown): AppError | null {
  const code = (thrown as { code?: unknown } | null)?.code;
  // A write conflict or deadlock. P2034 is Prisma's code. 40001 and 40P01 are PostgreSQL's codes,
  // for raw SQL.
  if (code === 'P2034' || sqlState(thrown) === '40001' || sqlState(thrown) === '40P01')
    return new AppError('concurrent_edit', { internal: thrown });
  // A violated foreign key: the referenced row existed when it was checked and has been deleted
  // since.
  if (code === 'P2003' || sqlState(thrown) === '23503') return new AppError('concurrent_edit', { internal: thrown });
  if (isDiskFullError(thrown))
    return new AppError('service_unavailable', { message: DISK_FULL, internal: thrown, retryAfter: 30 });
  const away = isDatabaseUnavailableError(thrown) || isStorageError(thrown);
  return away ? new AppError('service_unavailable', { internal: thrown, retryAfter: 1 }) : null;
}

/** Returns PostgreSQL's code of an error. */
function sqlState(thrown: unknown): unknown {
  interface DriverError {
    cause?: { originalCode?: unknown };
  }
  const { meta, cause, code } = (thrown ?? {}) as DriverError & {
    code?: unknown;
    meta?: { code?: unknown; driverAdapterError?: DriverError };
  };
  // Prisma queries, COMMIT and prepared statements each report the code in a different place.
  return meta?.driverAdapterError?.cause?.originalCode ?? meta?.code ?? cause?.originalCode ?? code;
}
