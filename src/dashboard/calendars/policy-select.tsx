import { useId } from 'react';
import { Field } from '../ui/form/field';
import { Select } from '../ui/form/select';
import { Switch } from '../ui/form/switch';
import type { Source } from './queries';

type Otherwise = Source['reading']['otherwise'];

const OPTIONS: { value: Otherwise; label: string }[] = [
  { value: 'booking', label: 'Every entry but blocks' },
  { value: 'skip', label: 'Only entries that say so' },
];

/** What becomes of entries whose words say nothing: in such a calendar they are mostly guests’ names. */
export function PolicySelect({
  value,
  disabled,
  onChange,
}: {
  value: Otherwise;
  disabled?: boolean;
  onChange: (value: Otherwise) => void;
}) {
  return (
    <Field
      label="Bookings are"
      hint="“Reserved”, “booked” and their like say so, in many languages; “blocked”, “not available” and “closed” are blocks."
    >
      {(control) => (
        <Select
          {...control}
          value={value}
          disabled={disabled}
          options={OPTIONS}
          onValueChange={(next) => onChange(next as Otherwise)}
        />
      )}
    </Field>
  );
}

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
