'use client';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { useReservationSourceName } from '../channel-names';
import { toDisplayableError } from '../read-error';
import { RESERVATION_SOURCE_FILTER_VALUES } from '../reservations/labels';
import type { InboxMailDetail as MailDetail } from '../types';
import { Button } from '../ui/button';
import { CalendarDay, CalendarDayRange } from '../ui/date-time';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { findFieldNamedByError } from '../ui/form/resolver';
import { Select } from '../ui/form/select';

export const BOOKING_COMPLETION_FORM_ID = 'complete-mail';

type Source = (typeof RESERVATION_SOURCE_FILTER_VALUES)[number];

export interface BookingCompletionFormValues {
  guest_name: string;
  guest_email: string | null;
  checkin_date: string;
  checkout_date: string;
  source: Source;
  reservation_code: string | null;
  reservation_id: string | null;
}

interface Reading {
  checkin_date: string;
  checkout_date: string | null;
}

const DaysOf = ({ checkin_date, checkout_date }: Reading) =>
  checkout_date ? <CalendarDayRange from={checkin_date} to={checkout_date} /> : <CalendarDay value={checkin_date} />;

/**
 * Lets the host choose the reservation to which the mail belongs, and one of the possible readings
 * of the mail's dates.
 */
function Choices({
  mail: { pairs, found },
  chosen,
  onTake,
}: {
  mail: MailDetail;
  chosen: string | null;
  onTake: (stay: Reading, pair: string | null) => void;
}) {
  const t = useTranslations('calendar_mail');
  const readings = found?.readings ?? [];
  return (
    <>
      {pairs.length > 0 ? (
        <fieldset>
          <legend className="mb-2 text-ink-soft text-sm">{t('is_it_this_one')}</legend>
          <div className="flex flex-wrap gap-2">
            {pairs.map((pair) => (
              <Button
                key={pair.reservation_id}
                variant="secondary"
                size="sm"
                aria-pressed={chosen === pair.reservation_id}
                onClick={() => onTake(pair, chosen === pair.reservation_id ? null : pair.reservation_id)}
              >
                <span>
                  {pair.guest_name ?? t('guest')}, <DaysOf {...pair} />
                </span>
              </Button>
            ))}
          </div>
        </fieldset>
      ) : null}
      {readings.length > 0 ? (
        <fieldset>
          <legend className="mb-2 text-ink-soft text-sm">{t('which_is_meant')}</legend>
          <div className="flex flex-wrap gap-2">
            {readings.map((reading) => (
              <Button
                key={`${reading.checkin_date}/${reading.checkout_date}`}
                variant="secondary"
                size="sm"
                onClick={() => onTake(reading, null)}
              >
                <span>
                  <DaysOf {...reading} />
                </span>
              </Button>
            ))}
          </div>
        </fieldset>
      ) : null}
    </>
  );
}

/** The form with the data read from the mail. The host corrects and completes the data. */
export function BookingCompletionForm({
  mail,
  reservation_id,
  onPair,
  error,
  onSubmit,
}: {
  mail: MailDetail;
  /**
   * The reservation to which the mail belongs. It was found automatically or chosen by the host.
   */
  reservation_id: string | null;
  onPair: (reservation_id: string | null) => void;
  error: unknown;
  onSubmit: (values: BookingCompletionFormValues) => void;
}) {
  const t = useTranslations('calendar_mail');
  const sourceName = useReservationSourceName();
  const { found } = mail;
  const [source, setSource] = useState<Source>(found?.channel ?? 'direct');
  const form = useForm({
    defaultValues: {
      guest_name: found?.guest_name ?? '',
      guest_email: found?.guest_email ?? '',
      checkin_date: found?.checkin_date ?? '',
      checkout_date: found?.checkout_date ?? '',
      reservation_code: found?.reservation_code ?? '',
    },
  });
  const { errors } = form.formState;
  const refused = error ? toDisplayableError(error) : null;
  const messageOf = (field: keyof typeof errors) =>
    errors[field]?.message ?? (refused?.param === field ? refused.message : undefined);
  const take = ({ checkin_date, checkout_date }: Reading, pair: string | null) => {
    form.setValue('checkin_date', checkin_date);
    form.setValue('checkout_date', checkout_date ?? '');
    onPair(pair);
  };
  const elsewhere = refused && !findFieldNamedByError(form, refused.param);
  return (
    <form
      id={BOOKING_COMPLETION_FORM_ID}
      className="grid gap-4 rounded-lg border p-4"
      noValidate
      onSubmit={form.handleSubmit((values) =>
        onSubmit({
          ...values,
          guest_name: values.guest_name.trim(),
          guest_email: values.guest_email.trim() || null,
          reservation_code: values.reservation_code.trim() || null,
          source,
          reservation_id,
        }),
      )}
    >
      <h3 className="font-semibold text-sm">
        {t(reservation_id ? 'complete_the_reservation_it_belongs_to' : 'make_a_reservation_of_it')}
      </h3>
      <Choices mail={mail} chosen={reservation_id} onTake={take} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t('guests_name')} error={messageOf('guest_name')}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              {...form.register('guest_name', { validate: (value) => value.trim() !== '' || t('enter_the_name') })}
            />
          )}
        </Field>
        <Field label={t('guests_e_mail')} optional error={messageOf('guest_email')}>
          {(control) => <Input {...control} type="email" autoComplete="off" {...form.register('guest_email')} />}
        </Field>
        <Field label={t('check_in')} error={messageOf('checkin_date')}>
          {(control) => (
            <Input {...control} type="date" {...form.register('checkin_date', { required: t('enter_the_day') })} />
          )}
        </Field>
        <Field label={t('check_out')} error={messageOf('checkout_date')}>
          {(control) => (
            <Input
              {...control}
              type="date"
              {...form.register('checkout_date', {
                required: t('enter_the_day'),
                validate: (value, { checkin_date }) => value > checkin_date || t('it_must_be_after_the_check_in'),
              })}
            />
          )}
        </Field>
        {reservation_id ? null : (
          <>
            <Field label={t('channel')}>
              {(control) => (
                <Select
                  {...control}
                  value={source}
                  options={RESERVATION_SOURCE_FILTER_VALUES.map((value) => ({ value, label: sourceName(value) }))}
                  onValueChange={(value) => setSource(value as Source)}
                />
              )}
            </Field>
            <Field label={t('reservation_code')} optional error={messageOf('reservation_code')}>
              {(control) => <Input {...control} autoComplete="off" {...form.register('reservation_code')} />}
            </Field>
          </>
        )}
      </div>
      {elsewhere ? (
        <p role="alert" className="text-danger text-sm">
          {refused.message}
        </p>
      ) : null}
    </form>
  );
}
