import { Field } from '../ui/form/field';
import { Select } from '../ui/form/select';
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
