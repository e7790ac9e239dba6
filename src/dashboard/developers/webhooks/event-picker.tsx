'use client';
import { useTranslations } from 'use-intl/react';
import { Checkbox } from '../checkbox';
import { useEventTypeMeaning } from '../events/use-meaning';
import { EVENT_TYPE_GROUPS } from './event-groups';

interface EventPickerProps {
  value: readonly string[];
  onChange: (events: string[]) => void;
}

/** Lets the user choose all event types, or individual ones. */
export function EventTypePicker({ value, onChange }: EventPickerProps) {
  const t = useTranslations('webhooks');
  const meaning = useEventTypeMeaning();
  const all = value.includes('*');
  const toggle = (type: string, on: boolean) =>
    onChange(on ? [...value, type] : value.filter((chosen) => chosen !== type));
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-medium text-sm">{t('events')}</legend>
      <Checkbox
        type="radio"
        name="which-events"
        checked={all}
        onChange={() => onChange(['*'])}
        label={t('all_events')}
        hint={t('also_those_that_come_later')}
      />
      <Checkbox
        type="radio"
        name="which-events"
        checked={!all}
        onChange={() => onChange([])}
        label={t('only_those_i_choose')}
      />
      {all ? null : (
        <div className="grid gap-3 sm:grid-cols-2">
          {EVENT_TYPE_GROUPS.map((group) => (
            <fieldset key={group.name} className="grid content-start gap-2.5 rounded-lg border p-3.5">
              <legend className="px-1 font-medium text-sm">{t(`group_${group.name}`)}</legend>
              {group.types.map((type) => (
                <Checkbox
                  key={type}
                  checked={value.includes(type)}
                  onChange={(event) => toggle(type, event.target.checked)}
                  label={<code className="break-all font-mono text-xs">{type}</code>}
                  hint={meaning(type)}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
    </fieldset>
  );
}
