'use client';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../../paths';
import { FormErrorMessage } from '../../properties/form-parts';
import { toDisplayableError } from '../../read-error';
import { useMe } from '../../shell/me';
import { useTRPC } from '../../trpc';
import type { Reservation } from '../../types';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { useSendResultToast } from '../use-send-result-toast';

/**
 * Changes the dates of a guest who already has the packet. The dialog first shows the consequences
 * for the guest.
 */
export default function ChangeDatesDialog({ reservation, onClose }: { reservation: Reservation; onClose: () => void }) {
  const t = useTranslations('reservation_detail');
  const { id, guest_name, guest_email } = reservation;
  const form = useId();
  const router = useRouter();
  const { mode, mail_is_sent } = useMe();
  const tellSent = useSendResultToast();
  const [checkin, setCheckin] = useState(reservation.checkin_date);
  const [checkout, setCheckout] = useState(reservation.checkout_date);
  const trpc = useTRPC();
  const change = useMutation(
    trpc.reservations.change_dates.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (made) => {
        tellSent(made);
        router.push(paths.reservation(made.id));
        onClose();
      },
    }),
  );
  const same = checkin === reservation.checkin_date && checkout === reservation.checkout_date;
  const backwards = checkin !== '' && checkout !== '' && checkout <= checkin;
  const refused = change.error ? toDisplayableError(change.error) : null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('change_the_dates')}
      dismissLabel={t('keep_as_it_is')}
      footer={
        <Button
          type="submit"
          form={form}
          pending={change.isPending}
          disabled={same || backwards || !checkin || !checkout}
        >
          {t('change_and_send')}
        </Button>
      }
    >
      <form
        id={form}
        className="grid gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate({ id, checkin_date: checkin, checkout_date: checkout });
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t('check_in')}>
            {(control) => (
              <Input {...control} type="date" value={checkin} onChange={(event) => setCheckin(event.target.value)} />
            )}
          </Field>
          <Field label={t('check_out')} error={backwards ? t('it_must_be_after_the_check_in') : undefined}>
            {(control) => (
              <Input
                {...control}
                type="date"
                value={checkout}
                min={checkin}
                onChange={(event) => setCheckout(event.target.value)}
              />
            )}
          </Field>
        </div>
        <div className="grid gap-2 text-ink-soft text-sm leading-relaxed">
          <p>
            {mode === 'test'
              ? t('a_mail_with_the_new_dates_for', { guest_name })
              : mail_is_sent
                ? t('guest_name_gets_one_mail_with_the', { guest_name, guest_email })
                : t('mail_is_not_set_up_here_give', { guest_name })}{' '}
            {t('the_earlier_link_names_a_newer')}
          </p>
          <p>{t('what_was_sent_keeps_its_dates_another')}</p>
        </div>
        <FormErrorMessage refused={refused} />
      </form>
    </Dialog>
  );
}
