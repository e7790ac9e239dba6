'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { Checkbox } from '../../developers/checkbox';
import { PROPERTIES_INPUT } from '../../initial-queries';
import { paths } from '../../paths';
import { FormErrorMessage } from '../../properties/form-parts';
import { toDisplayableError } from '../../read-error';
import { useTRPC } from '../../trpc';
import type { ReservationMutationResult } from '../../types';
import { Button } from '../../ui/button';
import { createFormResolver, findFieldNamedByError, focusFieldNamedByError } from '../../ui/form/resolver';
import { LinkButton } from '../../ui/link-button';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { Skeleton } from '../../ui/skeleton';
import { useSendResultToast } from '../use-send-result-toast';
import { findReservationFieldErrors, type ReservationFormValues } from './form-values';
import { ReservationFields } from './reservation-fields';

const FORM = 'create-reservation';

/** Creates a reservation, and optionally sends the packet at once. */
export function CreateReservationDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (id: string) => void;
}) {
  const t = useTranslations('reservation_form');
  const trpc = useTRPC();
  const properties = useQuery(trpc.properties.list.queryOptions(PROPERTIES_INPUT));
  const all = properties.data?.data;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('new_reservation')}
      description={t('one_guests_stay_for_which_a_packet')}
      footer={
        all?.length === 0 ? null : (
          <>
            <Button variant="secondary" onClick={onClose}>
              {t('not_now')}
            </Button>
            <Button type="submit" form={FORM} disabled={!all}>
              {t('create')}
            </Button>
          </>
        )
      }
    >
      {properties.error && !all ? <FormErrorMessage refused={toDisplayableError(properties.error)} /> : null}
      {all?.length === 0 ? (
        <div className="grid justify-items-start gap-4 pb-2 text-sm leading-relaxed">
          <p className="text-ink-soft">{t('a_reservation_belongs_to_a_property_whose')}</p>
          <LinkButton href={paths.properties}>{t('properties')}</LinkButton>
        </div>
      ) : null}
      {!all && !properties.error ? <Skeleton className="h-72" /> : null}
      {all && all.length > 0 ? <CreateForm properties={all} onCreated={onCreated} /> : null}
    </Dialog>
  );
}

function CreateForm({
  properties,
  onCreated,
}: {
  properties: { id: string; name: string }[];
  onCreated: (id: string) => void;
}) {
  const t = useTranslations('reservation_form');
  const [send_now, setSendNow] = useState(false);
  const tellSent = useSendResultToast();
  const trpc = useTRPC();
  const send = useMutation(
    trpc.reservations.send.mutationOptions({
      onSuccess: tellSent,
    }),
  );
  const create = useMutation(
    trpc.reservations.create.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (reservation: ReservationMutationResult) => {
        if (send_now && !reservation.guest_contact_missing) send.mutate({ id: reservation.id });
        else toast.success(t('the_reservation_of_guest_name_is_created', { guest_name: reservation.guest_name }));
        onCreated(reservation.id);
      },
    }),
  );
  // The property in the URL, set by the list's filter or by the page that links here.
  const named = useSearchParams().get('property');
  const chosen = properties.length === 1 ? properties[0] : properties.find(({ id }) => id === named);
  const form = useForm<ReservationFormValues>({
    resolver: createFormResolver((values) => findReservationFieldErrors(values, t)),
    defaultValues: {
      property_id: chosen?.id ?? '',
      packet_id: '',
      guest_name: '',
      guest_email: '',
      locale: '',
      checkin_date: '',
      checkout_date: '',
      source: 'direct',
      external_id: '',
    },
  });
  const { setFocus } = form;
  // The dialog may have focused a button before the form was loaded, so the form moves the focus to
  // its first field.
  const is_chosen = chosen !== undefined;
  useEffect(() => {
    if (is_chosen) setFocus('guest_name');
  }, [is_chosen, setFocus]);
  const refused = create.error ? toDisplayableError(create.error) : null;
  const placed = findFieldNamedByError(form, refused?.param);
  const submit = form.handleSubmit((values) => {
    if (create.isPending) return;
    const input = {
      property_id: values.property_id,
      packet_id: values.packet_id || null,
      guest_name: values.guest_name,
      guest_email: values.guest_email.trim() || null,
      locale: values.locale || null,
      checkin_date: values.checkin_date,
      checkout_date: values.checkout_date,
      source: values.source as ReservationMutationResult['source'],
      external_id: values.external_id || null,
    };
    create.mutate(input, { onError: (error) => focusFieldNamedByError(form, toDisplayableError(error).param) });
  });
  const addressed = form.watch('guest_email').trim() !== '';
  return (
    <form id={FORM} className="grid gap-5" noValidate onSubmit={submit}>
      <ReservationFields
        form={form}
        refused={placed && refused ? { [placed]: refused.message } : {}}
        properties={properties}
      />
      <Checkbox
        label={t('send_the_packet_right_away')}
        hint={addressed ? t('otherwise_you_send_it_later_from_the') : t('this_needs_the_guests_e_mail_address')}
        checked={send_now && addressed}
        disabled={!addressed}
        onChange={(event) => setSendNow(event.target.checked)}
      />
      <FormErrorMessage refused={placed ? null : refused} />
    </form>
  );
}
