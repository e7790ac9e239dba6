/**
 * Checks the configuration that the SDK registers for each function. The engine refuses settings
 * that it does not support, so that no function runs with less protection than it declares.
 */
import type { Cron } from 'croner';
import { z } from 'zod';
import { parseEventDataPath } from './concurrency-key';
import { parseCron } from './cron';
import { parseDurationMs } from './timing';

/** The SDK's documented default when a function does not set `retries`. */
const DEFAULT_RETRIES = 3;

export interface RegisteredFunction {
  id: string;
  max_attempts: number;
  crons: Cron[];
  /** Names of the events that trigger the function. */
  events: string[];
  /** The path of a value in the event. Limits and cancellations use this value as their key. */
  key: string[] | null;
  /**
   * Maximum number of concurrent calls over all processes. `limit` applies to the function, and
   * `limit_per_key` to each value of its key.
   */
  limit: number | null;
  limit_per_key: number | null;
  /**
   * Maximum number of runs that start within a period. It applies to each value of the key when
   * `keyed` is true.
   */
  throttle: { limit: number; period_ms: number; keyed: boolean } | null;
  /** Names of the events that cancel runs with the same key value. */
  cancelled_by: string[];
}

/** Thrown for a configuration that the engine does not support. The message lists every problem. */
export class EngineConfigError extends Error {
  override name = 'EngineConfigError';
}

const positive = z.number().int().positive();
const concurrencyOption = z.strictObject({
  limit: positive,
  key: z.string().optional(),
  scope: z.literal('fn').optional(),
});

const functionConfig = z.strictObject({
  id: z.string().min(1),
  name: z.string().optional(),
  triggers: z.array(z.union([z.strictObject({ event: z.string().min(1) }), z.strictObject({ cron: z.string() })])),
  steps: z.strictObject({
    step: z.object({ retries: z.strictObject({ attempts: z.number().int().min(0).optional() }).optional() }),
  }),
  concurrency: z.union([positive, concurrencyOption, z.array(concurrencyOption).max(2)]).optional(),
  throttle: z.strictObject({ limit: positive, period: z.string(), key: z.string().optional() }).optional(),
  cancel: z.array(z.strictObject({ event: z.string().min(1), if: z.string() })).optional(),
});

/**
 * Checks the functions of a registration. Throws EngineConfigError when a function is not
 * supported.
 */
export function parseFunctionConfigs(configs: readonly unknown[]): RegisteredFunction[] {
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
    max_attempts: (config.steps.step.retries?.attempts ?? DEFAULT_RETRIES) + 1,
    crons: [],
    events: [],
    key: null,
    limit: null,
    limit_per_key: null,
    throttle: null,
    cancelled_by: [],
  };
  const byKey = (key: string): void => {
    fn.key ??= parseEventDataPath(key);
    if (fn.key.join('.') !== parseEventDataPath(key).join('.'))
      throw new Error(`two keys: "event.${fn.key.join('.')}", "${key}"`);
  };
  for (const trigger of config.triggers) {
    if ('cron' in trigger) fn.crons.push(parseCron(trigger.cron));
    else fn.events.push(eventName(trigger.event));
  }
  const concurrency = typeof config.concurrency === 'number' ? { limit: config.concurrency } : config.concurrency;
  for (const { limit, key } of [concurrency ?? []].flat()) {
    const which = key === undefined ? 'limit' : 'limit_per_key';
    if (fn[which] !== null) throw new Error('two concurrency limits of one kind');
    if (key !== undefined) byKey(key);
    fn[which] = limit;
  }
  if (config.throttle) {
    const { limit, period, key } = config.throttle;
    const period_ms = parseDurationMs(period);
    if (!period_ms) throw new Error(`throttle period "${period}" is not a duration`);
    if (key !== undefined) byKey(key);
    fn.throttle = { limit, period_ms, keyed: key !== undefined };
  }
  for (const cancel of config.cancel ?? []) {
    const [path = '', awaited, ...more] = cancel.if.split(' == ');
    byKey(path);
    if (awaited !== path.replace(/^event/, 'async') || more.length > 0)
      throw new Error(`cancelOn "${cancel.if}": only match is supported`);
    fn.cancelled_by.push(eventName(cancel.event));
  }
  return fn;
}

function eventName(name: string): string {
  if (name.includes('*')) throw new Error(`wildcard event "${name}"`);
  if (name.startsWith('inngest/')) throw new Error(`the internal event "${name}" is not emitted`);
  return name;
}
