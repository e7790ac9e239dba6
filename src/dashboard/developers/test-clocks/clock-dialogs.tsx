'use client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { toDisplayableError } from '../../read-error';
import { useTRPC } from '../../trpc';
import type { TestClock } from '../../types';
import { Button } from '../../ui/button';
import { DateTimeWithoutTooltip } from '../../ui/date-time';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog';
import { Dialog } from '../../ui/overlay/dialog';

const HOUR_MS = 3_600_000;
const STEPS = [
  { label: 'one_hour', ms: HOUR_MS },
  { label: 'one_day', ms: 24 * HOUR_MS },
  { label: 'one_week', ms: 7 * 24 * HOUR_MS },
  { label: 'thirty_days', ms: 30 * 24 * HOUR_MS },
] as const;

/** Returns the value of a `datetime-local` field in UTC. Test clocks have no time zone. */
const fieldValue = (at: number) => new Date(at).toISOString().slice(0, 16);
const readField = (text: string) => {
  const at = Date.parse(`${text}Z`);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
};

export function CreateTestClockDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('test_clocks');
  const [name, setName] = useState('');
  const [text, setText] = useState(() => fieldValue(Date.now()));
  const trpc = useTRPC();
  const create = useMutation(
    trpc.test_clocks.create.mutationOptions({ meta: { handlesError: true }, onSuccess: onClose }),
  );
  const frozen_time = readField(text);
  const refused = create.error ? toDisplayableError(create.error) : null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('create_a_test_clock')}
      description={t('time_stands_still_on_it_until_you')}
      dismissLabel={t('not_now')}
      footer={
        <Button
          disabled={!frozen_time}
          pending={create.isPending}
          onClick={() => frozen_time && create.mutate({ name: name.trim() || null, frozen_time })}
        >
          {t('create_the_clock')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <Field label={t('name')} optional error={refused?.param === 'name' ? refused.message : undefined}>
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={120}
              autoComplete="off"
              placeholder={t('a_stay_from_send_to_expiry')}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <Field
          label={t('time_at_first')}
          hint={t('in_utc_it_may_be_past_or')}
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

export function AdvanceTestClockDialog({ clock, onClose }: { clock: TestClock; onClose: () => void }) {
  const t = useTranslations('test_clocks');
  const now = Date.parse(clock.frozen_time);
  const [text, setText] = useState(() => fieldValue(now + 24 * HOUR_MS));
  const trpc = useTRPC();
  const advance = useMutation(
    trpc.test_clocks.advance.mutationOptions({ meta: { handlesError: true }, onSuccess: onClose }),
  );
  const frozen_time = readField(text);
  const refused = advance.error ? toDisplayableError(advance.error).message : undefined;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('advance_the_clock')}
      description={t.rich('it_is_time_on_it_what_would', {
        time: () => <DateTimeWithoutTooltip value={clock.frozen_time} zone="UTC" />,
      })}
      dismissLabel={t('not_now')}
      footer={
        <Button
          disabled={!frozen_time || Date.parse(frozen_time) <= now}
          pending={advance.isPending}
          onClick={() => frozen_time && advance.mutate({ id: clock.id, frozen_time })}
        >
          {t('advance')}
        </Button>
      }
    >
      <div className="grid gap-4">
        <Field label={t('to')} hint={t('in_utc_forward_only_and_two_years')} error={refused}>
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
              {t(label)}
            </Button>
          ))}
        </div>
      </div>
    </Dialog>
  );
}

export function DeleteTestClockDialog({ clock, onClose }: { clock: TestClock; onClose: () => void }) {
  const t = useTranslations('test_clocks');
  const trpc = useTRPC();
  const remove = useMutation(trpc.test_clocks.delete.mutationOptions({ onSuccess: onClose }));
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      danger
      title={t('delete_this_clock')}
      confirmLabel={t('delete_the_clock')}
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ id: clock.id })}
    >
      {t('its_properties_stay_with_everything_that_happened')}
    </ConfirmDialog>
  );
}
