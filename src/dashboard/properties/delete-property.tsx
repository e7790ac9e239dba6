'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../developers/notice';
import { paths } from '../paths';
import { QueryErrorPanel } from '../query-error';
import { toDisplayableError } from '../read-error';
import { useTRPC } from '../trpc';
import type { Property } from '../types';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { ConfirmDialog } from '../ui/overlay/confirm-dialog';
import { toast } from '../ui/overlay/toaster';
import { Skeleton } from '../ui/skeleton';
import { FormErrorMessage } from './form-parts';

/** Deletes a property, after listing the data that is deleted with it. */
export function DeletePropertyCard({ property }: { property: Property }) {
  const t = useTranslations('properties');
  const router = useRouter();
  const trpc = useTRPC();
  const entails = useQuery(trpc.properties.deletion.queryOptions({ id: property.id }, { staleTime: 0 }));
  const [asking, setAsking] = useState(false);
  const remove = useMutation(
    trpc.properties.delete.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => {
        toast.success(t('property_is_deleted', { property: property.name }));
        router.replace(paths.properties);
      },
    }),
  );
  const refused = remove.error ? toDisplayableError(remove.error) : null;
  // Reservations may have become active since the count was loaded. The server then refuses the
  // deletion with `active_reservations`.
  const active = entails.data?.active_reservations ?? 0;
  const force = active > 0 || refused?.code === 'active_reservations';
  const close = () => {
    setAsking(false);
    remove.reset();
  };
  if (entails.error && !entails.data) {
    return (
      <Card>
        <QueryErrorPanel title={t('what_deleting_entails_could_not_be_loaded')} query={entails} />
      </Card>
    );
  }
  return (
    <Card className="max-w-3xl">
      <CardHeader title={t('delete_the_property')} description={t('it_cannot_be_undone')} />
      <CardBody className="grid gap-4 text-sm leading-relaxed">
        {entails.data ? (
          <>
            <ul className="grid list-disc gap-1 pl-5" aria-label={t('what_goes_and_what_stays')}>
              <li>{t('packets_go', { count: entails.data.packets })}</li>
              <li>{t('reservations_go', { count: entails.data.reservations })}</li>
              <li>{t('calendars_go', { count: entails.data.calendars })}</li>
              <li>{t('certificates_stay', { count: entails.data.certificates })}</li>
            </ul>
            {entails.data.legal_hold ? (
              <Notice tone="danger" title={t('under_legal_hold')}>
                {t('a_reservation_or_certificate_of_this_property')}
              </Notice>
            ) : active > 0 ? (
              <Notice tone="warning" title={t('reservations_active', { count: active })}>
                {t('their_guests_were_sent_the_packet_or')}
              </Notice>
            ) : null}
          </>
        ) : (
          <div className="grid gap-2" aria-busy>
            <Skeleton className="h-4 w-64" />
            <Skeleton className="h-4 w-80" />
            <Skeleton className="h-4 w-56" />
            <Skeleton className="h-4 w-72" />
          </div>
        )}
        <div>
          <Button
            variant="danger"
            disabled={!entails.data}
            disabledReason={entails.data?.legal_hold ? t('something_of_this_property_is_under_legal') : null}
            onClick={() => setAsking(true)}
          >
            {t('delete_the_property')}
          </Button>
        </div>
      </CardBody>
      <ConfirmDialog
        open={asking}
        onOpenChange={close}
        danger
        title={t('delete_property', { property: property.name })}
        typed={property.name}
        confirmLabel={force ? t('delete_it_with_its_active_reservations') : t('delete_it')}
        pending={remove.isPending}
        onConfirm={() => remove.mutate({ id: property.id, force })}
      >
        {force
          ? t('its_packets_calendars_and_reservations_go_with')
          : t('its_packets_calendars_and_reservations_go_with_2')}
        <div className="mt-2">
          <FormErrorMessage refused={refused} />
        </div>
      </ConfirmDialog>
    </Card>
  );
}
