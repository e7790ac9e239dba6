/** Serializes an engine's run for the operator's page. */
import type { DurableRun, DurableRunError } from '@/infra/durable-runs';
import type { DurableRunDetail, DurableRunListItem } from './schemas';

const iso = (date: Date | null) => date?.toISOString() ?? null;
const sentence = (error: DurableRunError | null) => (error ? `${error.name}: ${error.message}` : null);

/**
 * Removes the app's name, which the SDK prepends: `threshold-deliver-to-endpoint` becomes
 * `deliver-to-endpoint`.
 */
export const removeFunctionIdPrefix = (id: string) => id.replace(/^threshold-/, '');
export const addFunctionIdPrefix = (name: string) => `threshold-${name}`;

/** Returns the ids and names in an event's data, including one nested level. */
function aboutOf({ data }: DurableRun['event']): string | null {
  const fields = Object.entries((data ?? {}) as Record<string, unknown>);
  const nested = fields.flatMap(([, value]) =>
    value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.entries(value) : [],
  );
  const parts = [...fields, ...nested].flatMap(([name, value]) => {
    if (Array.isArray(value) && name === 'reservation_ids') return [`${value.length} reservations`];
    return typeof value === 'string' && (SHOWN.has(name) || name.endsWith('_id')) && name !== 'event_id' ? [value] : [];
  });
  return parts.length > 0 ? parts.join(' · ').slice(0, 300) : null;
}
const SHOWN: ReadonlySet<string> = new Set(['url', 'host', 'template', 'work']);

export function serializeDurableRun(run: DurableRun): DurableRunListItem {
  return {
    id: run.id,
    function: removeFunctionIdPrefix(run.function_id),
    status: run.status,
    event_name: run.event.name,
    about: aboutOf(run.event),
    attempt: run.attempt,
    next_wake_at: iso(run.next_wake_at),
    in_flight: run.in_flight,
    steps_done: run.steps.filter((step) => step.status === 'done').length,
    last_error: sentence(run.last_error),
    created_at: run.created_at.toISOString(),
    started_at: iso(run.started_at),
    ended_at: iso(run.ended_at),
  };
}

export function serializeDurableRunDetail(run: DurableRun): DurableRunDetail {
  return {
    ...serializeDurableRun(run),
    event: JSON.stringify(run.event),
    output: run.output === null || run.output === undefined ? null : JSON.stringify(run.output),
    error_stack: run.last_error?.stack ?? null,
    steps: run.steps.map((step) => ({
      id: step.id,
      name: step.name,
      op: step.op,
      status: step.status,
      error: sentence(step.error),
      created_at: step.created_at.toISOString(),
      ended_at: iso(step.ended_at),
    })),
  };
}
