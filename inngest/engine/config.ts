/**
 * What the SDK says of each function when it registers, checked against what the engine can do. A setting that the
 * engine would ignore is refused, so that no function runs with less protection than it asked for.
 */
import { z } from 'zod';
import { type Cron, parseCron } from './cron';
import { type Equality, isAsync, parseExpression, parsePath } from './expression';
import { durationMs } from './timing';

/** Attempts when a function does not set `retries`: the SDK's documented default of 3 retries. */
const DEFAULT_RETRIES = 3;
export const FUNCTION_FAILED = 'inngest/function.failed';

export interface RegisteredFunction {
  id: string;
  name: string;
  max_attempts: number;
  crons: Cron[];
  triggers: { event: string; filter: Equality[] }[];
  /** Calls in flight of this function, over all processes. */
  limit: number | null;
  keyed_limit: { limit: number; path: string[] } | null;
  idempotency: string[] | null;
  cancel_on: { event: string; condition: Equality[]; timeout_ms: number | null }[];
}

/** A configuration that the engine cannot honour; the message lists every problem found. */
export class EngineConfigError extends Error {
  override name = 'EngineConfigError';
}

const concurrencyOption = z.strictObject({
  limit: z.number().int().positive(),
  key: z.string().optional(),
  scope: z.literal('fn').optional(),
});

const functionConfig = z.strictObject({
  id: z.string().min(1),
  name: z.string().optional(),
  triggers: z.array(
    z.union([
      z.strictObject({ event: z.string().min(1), expression: z.string().optional() }),
      z.strictObject({ cron: z.string() }),
    ]),
  ),
  steps: z.strictObject({
    step: z.object({ retries: z.strictObject({ attempts: z.number().int().min(0).optional() }).optional() }),
  }),
  concurrency: z.union([z.number().int().positive(), concurrencyOption, z.array(concurrencyOption).max(2)]).optional(),
  idempotency: z.string().optional(),
  cancel: z
    .array(z.strictObject({ event: z.string().min(1), if: z.string().optional(), timeout: z.string().optional() }))
    .optional(),
});

/** Checks the functions of a registration. Throws EngineConfigError when any asks for something unsupported. */
export function parseFunctions(configs: readonly unknown[]): RegisteredFunction[] {
  const problems: string[] = [];
  const functions = configs.flatMap((config) => {
    const parsed = functionConfig.safeParse(config);
    if (!parsed.success) {
      const id = (config as { id?: unknown } | null)?.id ?? 'a function';
      for (const issue of parsed.error.issues) {
        problems.push(`${String(id)}: ${[issue.path.join('.'), issue.message].filter(Boolean).join(': ')}`);
      }
      return [];
    }
    try {
      return [toFunction(parsed.data)];
    } catch (error) {
      problems.push(`${parsed.data.id}: ${error instanceof Error ? error.message : String(error)}`);
      return [];
    }
  });
  if (problems.length > 0) {
    throw new EngineConfigError(`The embedded engine does not support this configuration:\n  ${problems.join('\n  ')}`);
  }
  return functions;
}

function toFunction(config: z.infer<typeof functionConfig>): RegisteredFunction {
  const fn: RegisteredFunction = {
    id: config.id,
    name: config.name ?? config.id,
    max_attempts: (config.steps.step.retries?.attempts ?? DEFAULT_RETRIES) + 1,
    crons: [],
    triggers: [],
    limit: null,
    keyed_limit: null,
    idempotency: config.idempotency === undefined ? null : parsePath(config.idempotency),
    cancel_on: [],
  };
  for (const trigger of config.triggers) {
    if ('cron' in trigger) {
      fn.crons.push(parseCron(trigger.cron));
      continue;
    }
    if (trigger.event.includes('*')) throw new Error(`wildcard trigger "${trigger.event}"`);
    if (trigger.event.startsWith('inngest/') && trigger.event !== FUNCTION_FAILED) {
      throw new Error(`the internal event "${trigger.event}" is not emitted`);
    }
    const filter = trigger.expression ? parseExpression(trigger.expression) : [];
    if (filter.some(({ left, right }) => isAsync(left) || isAsync(right))) {
      throw new Error(`a trigger cannot refer to async: "${trigger.expression}"`);
    }
    fn.triggers.push({ event: trigger.event, filter });
  }
  const concurrency = typeof config.concurrency === 'number' ? { limit: config.concurrency } : config.concurrency;
  for (const option of [concurrency ?? []].flat()) {
    if (option.key === undefined) {
      if (fn.limit !== null) throw new Error('two concurrency limits without a key');
      fn.limit = option.limit;
    } else {
      if (fn.keyed_limit) throw new Error('two concurrency limits with a key');
      fn.keyed_limit = { limit: option.limit, path: parsePath(option.key) };
    }
  }
  for (const cancel of config.cancel ?? []) {
    const timeout_ms = cancel.timeout === undefined ? null : durationMs(cancel.timeout);
    if (cancel.timeout !== undefined && timeout_ms === null) {
      throw new Error(`cancelOn timeout "${cancel.timeout}" is not a duration`);
    }
    fn.cancel_on.push({ event: cancel.event, condition: cancel.if ? parseExpression(cancel.if) : [], timeout_ms });
  }
  return fn;
}
