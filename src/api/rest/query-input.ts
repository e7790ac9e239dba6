/**
 * Converts query parameters, which are text, to the types in the procedures' schemas. Only numbers
 * and booleans are converted. Unusable values stay text, which the schema then refuses.
 * trpc-openapi's own coercion would treat "false" as true.
 */
import { z } from 'zod';
import { AppError } from '@/shared/errors';

type Kind = 'number' | 'boolean' | 'text';

function kindOf(schema: z.core.$ZodType): Kind {
  let inner: z.core.$ZodType = schema;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault || inner instanceof z.ZodNullable) {
    inner = inner.unwrap() as z.core.$ZodType;
  }
  if (inner instanceof z.ZodNumber) return 'number';
  if (inner instanceof z.ZodBoolean) return 'boolean';
  return 'text';
}

function typed(kind: Kind, text: string): unknown {
  if (kind === 'number' && /^-?\d{1,15}(\.\d{1,10})?$/.test(text)) return Number(text);
  if (kind === 'boolean' && text === 'true') return true;
  if (kind === 'boolean' && text === 'false') return false;
  return text;
}

/** Returns the types of an operation's parameters from its input schema. */
export function readQueryParameterTypes(input: unknown): Map<string, Kind> {
  const shape = input instanceof z.ZodObject ? input.shape : {};
  return new Map(Object.entries(shape).map(([name, schema]) => [name, kindOf(schema as z.core.$ZodType)]));
}

/**
 * Converts the query to input. Throws `unknown_field` for an unknown parameter, and `invalid_field`
 * for a repeated parameter.
 */
export function parseQueryParameters(
  search: URLSearchParams,
  kinds: Map<string, Kind>,
  path_parameters: Record<string, string>,
): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [name, text] of search) {
    if (!kinds.has(name) || Object.hasOwn(path_parameters, name)) {
      throw new AppError('unknown_field', {
        message: `\`${name}\` is not a query parameter of this operation.`,
        param: name,
      });
    }
    if (Object.hasOwn(query, name))
      throw new AppError('invalid_field', { message: `\`${name}\` was given twice.`, param: name });
    query[name] = typed(kinds.get(name) ?? 'text', text);
  }
  return query;
}
