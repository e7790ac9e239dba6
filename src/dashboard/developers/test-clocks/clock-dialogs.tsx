'use client';
import { useState } from 'react';
import { readError } from '../../read-error';
import { Button } from '../../ui/button';
import { Moment } from '../../ui/date-time';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog';
import { Dialog } from '../../ui/overlay/dialog';
import { type Clock, useAdvanceClock, useCreateClock, useDeleteClock } from './queries';

const HOUR_MS = 3_600_000;
const STEPS = [
  { label: '1 hour', ms: HOUR_MS },
  { label: '1 day', ms: 24 * HOUR_MS },
  { label: '1 week', ms: 7 * 24 * HOUR_MS },
  { label: '30 days', ms: 30 * 24 * HOUR_MS },
] as const;

/** A time as `datetime-local` takes it, in UTC: a clock stands for no place. */
const fieldValue = (at: number) => new Date(at).toISOString().slice(0, 16);
const readField = (text: string) => {
  const at = Date.parse(`${text}Z`);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
};

export function CreateClockDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [text, setText] = useState(() => fieldValue(Date.now()));
  const create = useCreateClock(onClose);
  const frozen_time = readField(text);
  const refused = create.error ? readError(create.error) : null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Create a test clock"
      description="Time stands still on it until you advance it. Properties that go by it live in its time."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Not now
          </Button>
          <Button
            disabled={!frozen_time}
            pending={create.isPending}
            onClick={() => frozen_time && create.mutate({ name: name.trim() || null, frozen_time })}
          >
            Create the clock
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Field label="Name" optional error={refused?.param === 'name' ? refused.message : undefined}>
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={120}
              autoComplete="off"
              placeholder="A stay from send to expiry"
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Time at first"
          hint="In UTC. It may be past or to come."
          error={refused && refused.param !== 'name' ? refused.message : undefined}
        >
          {(control) => (
            <Input {...control} type="datetime-local" value={text} onChange={(event) => setText(event.target.value)} />
          )}
        </Field>
      </div>
    </Dialog>
  );
}

export function AdvanceClockDialog({ clock, onClose }: { clock: Clock; onClose: () => void }) {
  const now = Date.parse(clock.frozen_time);
  const [text, setText] = useState(() => fieldValue(now + 24 * HOUR_MS));
  const advance = useAdvanceClock(onClose);
  const frozen_time = readField(text);
  const refused = advance.error ? readError(advance.error).message : undefined;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Advance the clock"
      description={
        <>
          It is <Moment value={clock.frozen_time} zone="UTC" /> on it. What would happen up to the new time happens,
          each thing at its own.
        </>
      }
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Not now
          </Button>
          <Button
            disabled={!frozen_time || Date.parse(frozen_time) <= now}
            pending={advance.isPending}
            onClick={() => frozen_time && advance.mutate({ id: clock.id, frozen_time })}
          >
            Advance
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Field label="To" hint="In UTC. Forward only, and two years at most." error={refused}>
          {(control) => (
            <Input
              {...control}
              type="datetime-local"
              min={fieldValue(now)}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          {STEPS.map(({ label, ms }) => (
            <Button key={label} variant="secondary" size="sm" onClick={() => setText(fieldValue(now + ms))}>
              {label}
            </Button>
          ))}
        </div>
      </div>
    </Dialog>
  );
}

export function DeleteClockDialog({ clock, onClose }: { clock: Clock; onClose: () => void }) {
  const remove = useDeleteClock(onClose);
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      danger
      title="Delete this clock?"
      confirmLabel="Delete the clock"
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ id: clock.id })}
    >
      Its properties stay, with everything that happened at them, and go by the real time again.
    </ConfirmDialog>
  );
}
