import { useId } from 'react';
import { useTranslations } from 'use-intl/react';
import type { SyncSource } from '../types';
import { Button } from '../ui/button';
import { CalendarDayRange } from '../ui/date-time';
import { Field } from '../ui/form/field';
import { Select } from '../ui/form/select';
import { Switch } from '../ui/form/switch';

type Otherwise = SyncSource['reading']['otherwise'];

/** The label of each option is the message `otherwise_…`. */
const OPTIONS: readonly Otherwise[] = ['booking', 'skip'];

/**
 * Lets the host decide how the calendar's entries are treated when their text is not understood.
 * The text is often a guest's name.
 */
export function UnrecognizedEntryPolicySelect({
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

interface DoubtfulEntry {
  summary: string;
  checkin_date: string | null;
  checkout_date: string | null;
}

/** The number of ambiguous calendar entries that the prompt shows as examples. */
const SHOWN = 8;

/**
 * Asks the host whether a calendar's ambiguous entries are blocks or guests' bookings. One answer
 * applies to all of them.
 */
export function AmbiguousCalendarEntriesPrompt({
  entries,
  total,
  pending,
  onAnswer,
}: {
  entries: readonly DoubtfulEntry[];
  total: number;
  pending: 'block' | 'booking' | null;
  onAnswer: (answer: 'block' | 'booking') => void;
}) {
  const t = useTranslations('calendars');
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-3 rounded-lg border border-warning/40 p-4 text-sm">
      <h3 id={id} className="font-medium">
        {t('entries_look_like_blocks', { count: total })}
      </h3>
      <ul className="grid gap-1">
        {entries.slice(0, SHOWN).map((entry) => (
          <li key={`${entry.summary} ${entry.checkin_date}`} className="flex flex-wrap gap-x-2">
            <span className="break-words font-medium">{entry.summary}</span>
            {entry.checkin_date && entry.checkout_date ? (
              <span className="text-ink-soft">
                <CalendarDayRange from={entry.checkin_date} to={entry.checkout_date} />
              </span>
            ) : null}
          </li>
        ))}
        {total > SHOWN ? <li className="text-ink-soft">{t('and_count_more', { count: total - SHOWN })}</li> : null}
      </ul>
      <div className="flex flex-wrap gap-2">
        {(['block', 'booking'] as const).map((answer) => (
          <Button
            key={answer}
            variant="secondary"
            size="sm"
            pending={pending === answer}
            onClick={() => onAnswer(answer)}
          >
            {t(`they_are_${answer}s`)}
          </Button>
        ))}
      </div>
      <p className="text-ink-soft text-xs leading-relaxed">{t('until_you_answer_they_are_left_out')}</p>
    </section>
  );
}

export function TreatClosedDatesAsBlockedSwitch({
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
