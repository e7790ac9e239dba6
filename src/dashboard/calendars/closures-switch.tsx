'use client';
import { useId } from 'react';
import { Switch } from '../ui/form/switch';

/** Whether this calendar's closures are bookings; channel C does not tell them apart. */
export function ClosuresSwitch({
  checked,
  disabled,
  onChange,
}: {
  checked: boolean;
  disabled?: boolean;
  onChange: (value: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="grid gap-0.5">
        <label htmlFor={id} className="font-medium text-sm">
          Closures are blocks
        </label>
        <p id={`${id}-hint`} className="text-ink-soft text-xs leading-relaxed">
          This channel writes bookings and days you closed alike. Off: each is taken for a booking, and you mark the
          others. On: only entries with a guest’s name are bookings.
        </p>
      </div>
      <Switch
        id={id}
        aria-describedby={`${id}-hint`}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
      />
    </div>
  );
}
