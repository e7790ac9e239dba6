'use client';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { FormErrorMessage } from '../../properties/form-parts';
import { toDisplayableError } from '../../read-error';
import { useMe } from '../../shell/me';
import { useTRPC } from '../../trpc';
import type { Reservation } from '../../types';
import { Button } from '../../ui/button';
import { createFormResolver, findFieldNamedByError, focusFieldNamedByError } from '../../ui/form/resolver';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { findReservationFieldErrors, type ReservationFormValues } from '../form/form-values';
import { GuestContactFields } from '../form/reservation-fields';
import { useSendResultToast } from '../use-send-result-toast';

const FORM = 'correct-guest';

/**
 * Corrects the details of a guest who already has the packet. The dialog warns that saving mails
 * the guest again.
 */
export default function CorrectGuestDialog({
  reservation,
  onClose,
}: {
  reservation: Reservation;
  onClose: () => void;
}) {
  const t = useTranslations('reservation_detail');
  const say = useTranslations('reservation_form');
  const { id, guest_name, guest_email, locale, guest_phone_last4 } = reservation;
  const { mode, mail_is_sent } = useMe();
  const tellSent = useSendResultToast();
  const trpc = useTRPC();
  const correct = useMutation(
    trpc.reservations.correct_guest.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (corrected) => {
        if (corrected.sent_at === reservation.sent_at) toast.success(say('saved'));
        else tellSent(corrected);
        onClose();
      },
    }),
  );
  const form = useForm<ReservationFormValues>({
    resolver: createFormResolver((values) => {
      const found = findReservationFieldErrors(values, say);
      if (!values.guest_email.trim()) found.guest_email = say('the_address_cannot_be_taken_away_only');
      return found;
    }),
    defaultValues: {
      property_id: reservation.property_id,
      packet_id: '',
      guest_name,
      guest_email,
      locale: locale ?? '',
      guest_phone_last4: guest_phone_last4 ?? '',
      checkin_date: reservation.checkin_date,
      checkout_date: reservation.checkout_date,
      source: reservation.source,
      external_id: '',
    },
  });
  const refused = correct.error ? toDisplayableError(correct.error) : null;
  const placed = findFieldNamedByError(form, refused?.param);
  const submit = form.handleSubmit((values) =>
    correct.mutate(
      {
        id,
        guest_name: values.guest_name,
        guest_email: values.guest_email,
        locale: values.locale || null,
        guest_phone_last4: values.guest_phone_last4?.trim() || null,
      },
      { onError: (error) => focusFieldNamedByError(form, toDisplayableError(error).param) },
    ),
  );
  const address = form.watch('guest_email').trim();
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('correct_guest_title')}
      dismissLabel={t('keep_as_it_is')}
      footer={
        <Button type="submit" form={FORM} pending={correct.isPending} disabled={!form.formState.isDirty}>
          {t('correct_guest_submit')}
        </Button>
      }
    >
      <form id={FORM} className="grid gap-5" noValidate onSubmit={submit}>
        <GuestContactFields form={form} refused={placed && refused ? { [placed]: refused.message } : {}} phone />
        <div className="grid gap-2 text-ink-soft text-sm leading-relaxed">
          <p>
            {mode === 'test'
              ? t('the_mail_is_rendered_and_kept_here')
              : mail_is_sent
                ? t('correct_guest_mailed', { guest_email: address })
                : t('mail_is_not_set_up_here_so')}{' '}
            {t('correct_guest_old_link')}
          </p>
          <p>{t('correct_guest_recorded')}</p>
        </div>
        <FormErrorMessage refused={placed ? null : refused} />
      </form>
    </Dialog>
  );
}
