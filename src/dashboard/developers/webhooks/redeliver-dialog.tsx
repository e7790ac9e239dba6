'use client';
import { useMemo, useState } from 'react';
import { readError } from '../../read-error';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { type Endpoint, useFailedCount, useRedeliverFailed } from './queries';

/** A time as `datetime-local` takes it: on the clock of this browser. */
function localValue(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PRESETS = [
  { label: 'Last hour', ms: HOUR_MS },
  { label: 'Last 24 hours', ms: 24 * HOUR_MS },
  { label: 'Last 7 days', ms: 7 * 24 * HOUR_MS },
] as const;

/** Sends again everything the endpoint has not taken since a time. */
export function RedeliverFailedDialog({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const [text, setText] = useState(() =>
    localValue(
      // The first event that failed occurred a little before its failure.
      new Date(
        endpoint.failing_since ? Date.parse(endpoint.failing_since) - 10 * MINUTE_MS : Date.now() - 24 * HOUR_MS,
      ),
    ),
  );
  const since = useMemo(() => {
    const at = Date.parse(text);
    return Number.isNaN(at) ? null : new Date(at).toISOString();
  }, [text]);
  const found = useFailedCount(endpoint.id, since);
  const redeliver = useRedeliverFailed(({ events }) => {
    toast.success(`${events} ${events === 1 ? 'event is' : 'events are'} queued again.`);
    onClose();
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Redeliver failed events"
      description="Every event that this endpoint has not taken: given up, waiting for its next attempt, or missed while it was disabled."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Not now
          </Button>
          <Button
            disabled={!since || !found.data?.events}
            pending={redeliver.isPending}
            onClick={() => since && redeliver.mutate({ id: endpoint.id, since })}
          >
            Send them again
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Field label="Since" hint="On this computer’s clock. Counted by when the event occurred.">
          {(control) => (
            <Input {...control} type="datetime-local" value={text} onChange={(event) => setText(event.target.value)} />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          {PRESETS.map((preset) => (
            <Button
              key={preset.label}
              variant="secondary"
              size="sm"
              onClick={() => setText(localValue(new Date(Date.now() - preset.ms)))}
            >
              {preset.label}
            </Button>
          ))}
        </div>
        <p aria-live="polite" className="text-sm">
          <Found since={since} count={found} waiting={endpoint.waiting} />
        </p>
        {endpoint.status === 'enabled' ? null : (
          <p className="text-ink-soft text-sm">The endpoint is disabled: they wait until it is enabled.</p>
        )}
      </div>
    </Dialog>
  );
}

interface FoundProps {
  since: string | null;
  count: ReturnType<typeof useFailedCount>;
  /** Attempts that are queued as it is. */
  waiting: number;
}

function Found({ since, count, waiting }: FoundProps) {
  if (!since) return 'Choose a time.';
  if (count.error) return <span className="text-danger">{readError(count.error).message}</span>;
  if (!count.data) return <span className="text-ink-soft">Counting…</span>;
  const { events, more } = count.data;
  if (events === 0)
    return waiting > 0
      ? `Nothing else is missing: ${waiting} wait to be sent as it is.`
      : 'Nothing is missing since then.';
  if (more)
    return `More than ${events} events would be sent again, the oldest ${events} at first; repeat it for the rest.`;
  return `${events} ${events === 1 ? 'event' : 'events'} would be sent again.`;
}
