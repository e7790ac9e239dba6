import { useId } from 'react';
import { useTranslations } from 'use-intl/react';
import { Field } from '../ui/form/field';
import { Select } from '../ui/form/select';
import { Switch } from '../ui/form/switch';
import type { Source } from './queries';

type Otherwise = Source['reading']['otherwise'];

/** `otherwise_…`. */
const OPTIONS: readonly Otherwise[] = ['booking', 'skip'];

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
  const t = useTranslations('calendars');
  return (
    <Field label={t('bookings_are')} hint={t('reserved_booked_and_their_like_say_so')}>
      {(control) => (
        <Select
          {...control}
          value={value}
          disabled={disabled}
          options={OPTIONS.map((each) => ({ value: each, label: t(`otherwise_${each}`) }))}
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
  const t = useTranslations('calendars');
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="grid gap-0.5">
        <label htmlFor={id} className="font-medium text-sm">
          {t('closures_are_blocks')}
        </label>
        <p id={`${id}-hint`} className="text-ink-soft text-xs leading-relaxed">
          {t('this_channel_writes_bookings_and_closed_days_alike')}
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
