'use client';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { FormErrorMessage } from '../../properties/form-parts';
import { toDisplayableError } from '../../read-error';
import { useTRPC } from '../../trpc';
import type { Reservation } from '../../types';
import { Button } from '../../ui/button';
import { createFormResolver, findFieldNamedByError, focusFieldNamedByError } from '../../ui/form/resolver';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { findReservationFieldErrors, type ReservationFormValues } from './form-values';
import { ReservationFields } from './reservation-fields';

const FORM = 'edit-reservation';

/** Edits an unsent reservation. Saves only the changed fields, and offers to undo the change. */
export function EditReservationDialog({ reservation, onClose }: { reservation: Reservation; onClose: () => void }) {
  const t = useTranslations('reservation_form');
  const before = {
    packet_id: reservation.packet_id,
    guest_name: reservation.guest_name,
    guest_email: reservation.guest_email,
    locale: reservation.locale,
    checkin_date: reservation.checkin_date,
    checkout_date: reservation.checkout_date,
  };
  const trpc = useTRPC();
  const undo = useMutation(
    trpc.reservations.update.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => toast.success(t('it_is_as_it_was')),
    }),
  );
  const update = useMutation(
    trpc.reservations.update.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => {
        const had_address = !reservation.guest_contact_missing;
        toast.success(t('saved'), {
          // An added email address cannot be removed again, so this change has no undo.
          action: had_address
            ? { label: t('undo'), onClick: () => undo.mutate({ id: reservation.id, ...before }) }
            : undefined,
        });
        onClose();
      },
    }),
  );
  const form = useForm<ReservationFormValues>({
    resolver: createFormResolver((values) => {
      const found = findReservationFieldErrors(values, t);
      if (!values.guest_email.trim() && !reservation.guest_contact_missing) {
        found.guest_email = t('the_address_cannot_be_taken_away_only');
      }
      return found;
    }),
    defaultValues: {
      ...before,
      property_id: reservation.property_id,
      packet_id: reservation.packet_id ?? '',
      guest_email: reservation.guest_contact_missing ? '' : reservation.guest_email,
      locale: reservation.locale ?? '',
      source: reservation.source,
      external_id: reservation.external_id ?? '',
    },
  });
  const refused = update.error ? toDisplayableError(update.error) : null;
  const placed = findFieldNamedByError(form, refused?.param);
  const submit = form.handleSubmit((values) => {
    const changes = {
      id: reservation.id,
      packet_id: values.packet_id || null,
      guest_name: values.guest_name,
      ...(values.guest_email.trim() && { guest_email: values.guest_email }),
      locale: values.locale || null,
      checkin_date: values.checkin_date,
      checkout_date: values.checkout_date,
    };
    update.mutate(changes, { onError: (error) => focusFieldNamedByError(form, toDisplayableError(error).param) });
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('edit_the_reservation')}
      description={t('once_the_packet_is_sent_only_the')}
      dismissLabel={t('keep_as_it_is')}
      footer={
        <Button type="submit" form={FORM} pending={update.isPending}>
          {t('save')}
        </Button>
      }
    >
      <form id={FORM} className="grid gap-5" noValidate onSubmit={submit}>
        <ReservationFields form={form} refused={placed && refused ? { [placed]: refused.message } : {}} />
        <FormErrorMessage refused={placed ? null : refused} />
      </form>
    </Dialog>
  );
}
