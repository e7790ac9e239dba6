import type { EngineRun } from '../types';
import { Badge, type BadgeTone } from '../ui/badge';

const STATES: Record<EngineRun['status'], { tone: BadgeTone; label: string }> = {
  queued: { tone: 'neutral', label: 'Queued' },
  running: { tone: 'info', label: 'Running' },
  completed: { tone: 'success', label: 'Completed' },
  failed: { tone: 'danger', label: 'Failed' },
  cancelled: { tone: 'neutral', label: 'Cancelled' },
};

export const DURABLE_RUN_STATES = Object.keys(STATES) as EngineRun['status'][];
export const DURABLE_RUN_STATE_OPTIONS = Object.entries(STATES).map(([value, { label }]) => ({ value, label }));

/** Shows a run's state, including whether it will be retried. */
export function DurableRunBadge({ run }: { run: Pick<EngineRun, 'status' | 'attempt' | 'in_flight'> }) {
  const unfinished = run.status === 'queued' || run.status === 'running';
  if (unfinished && run.attempt > 0 && !run.in_flight) {
    return <Badge tone="warning">Failed {run.attempt === 1 ? 'once' : `${run.attempt} times`}, retrying</Badge>;
  }
  const { tone, label } = STATES[run.status];
  return (
    <Badge tone={tone} dot={run.in_flight}>
      {label}
    </Badge>
  );
}

const STEP_TONES: Record<string, BadgeTone> = {
  done: 'success',
  failed: 'danger',
  pending: 'info',
  cancelled: 'neutral',
};
const STEP_LABELS: Record<string, string> = {
  done: 'Done',
  failed: 'Failed',
  pending: 'Waiting',
  cancelled: 'Cancelled',
};

export const DurableRunStepBadge = ({ status }: { status: string }) => (
  <Badge tone={STEP_TONES[status] ?? 'neutral'}>{STEP_LABELS[status] ?? status}</Badge>
);

/**
 * Returns a readable name for the event `inngest/scheduled.timer`. Returns other names unchanged.
 */
export const getTriggerEventLabel = (name: string) => (name === 'inngest/scheduled.timer' ? 'the schedule' : name);
