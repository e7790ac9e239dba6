'use client';
import { Checkbox } from '../checkbox';
import { EVENT_GROUPS } from './event-groups';

interface EventPickerProps {
  value: readonly string[];
  onChange: (events: string[]) => void;
}

/** All events, or chosen ones of the catalogue. */
export function EventPicker({ value, onChange }: EventPickerProps) {
  const all = value.includes('*');
  const toggle = (type: string, on: boolean) =>
    onChange(on ? [...value, type] : value.filter((chosen) => chosen !== type));
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-medium text-sm">Events</legend>
      <Checkbox
        type="radio"
        name="which-events"
        checked={all}
        onChange={() => onChange(['*'])}
        label="All events"
        hint="Also those that come later: ignore the types you do not know."
      />
      <Checkbox
        type="radio"
        name="which-events"
        checked={!all}
        onChange={() => onChange([])}
        label="Only those I choose"
      />
      {all ? null : (
        <div className="grid gap-3 sm:grid-cols-2">
          {EVENT_GROUPS.map((group) => (
            <fieldset key={group.label} className="grid content-start gap-2.5 rounded-lg border p-3.5">
              <legend className="px-1 font-medium text-sm">{group.label}</legend>
              {group.types.map(({ type, description }) => (
                <Checkbox
                  key={type}
                  checked={value.includes(type)}
                  onChange={(event) => toggle(type, event.target.checked)}
                  label={<code className="break-all font-mono text-xs">{type}</code>}
                  hint={description}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
    </fieldset>
  );
}
