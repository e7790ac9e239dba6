'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useReservationSourceName } from '../../channel-names';
import { Checkbox } from '../../developers/checkbox';
import { FormErrorMessage } from '../../properties/form-parts';
import { toDisplayableError } from '../../read-error';
import { useTRPC } from '../../trpc';
import type { Reservation } from '../../types';
import { Button } from '../../ui/button';
import { CompactDescriptionList } from '../../ui/card';
import { CalendarDay, DateTimeWithoutTooltip } from '../../ui/date-time';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { Skeleton } from '../../ui/skeleton';
import { StatusBadge } from '../badges';

interface DoubleBookingDialogProps {
  id: string;
  other_id: string;
  onClose: () => void;
}

const BOTH = 'both';

/** Shows two bookings for the same nights side by side, with the consequences of each decision. */
export default function DoubleBookingDialog({ id, other_id, onClose }: DoubleBookingDialogProps) {
  const t = useTranslations('double_booking');
  const trpc = useTRPC();
  const one = useQuery(trpc.reservations.retrieve.queryOptions({ id }));
  const other = useQuery(trpc.reservations.retrieve.queryOptions({ id: other_id }));
  const both = one.data && other.data ? [one.data, other.data] : null;
  /** `both`, or the id of the booking to cancel. */
  const [choice, setChoice] = useState<string | null>(null);
  const done = (text: string) => () => {
    toast.success(text);
    onClose();
  };
  const keep = useMutation(
    trpc.reservations.both_real.mutationOptions({ meta: { handlesError: true }, onSuccess: done(t('both_kept')) }),
  );
  const cancel = useMutation(
    trpc.reservations.cancel.mutationOptions({
      meta: { handlesError: true },
      onSuccess: ({ guest_name }) => done(t('is_cancelled', { guest: guest_name }))(),
    }),
  );
  const doomed = both?.find((reservation) => reservation.id === choice);
  const error = keep.error ?? cancel.error ?? one.error ?? other.error;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      title={t('title')}
      description={t('same_nights_of_one_property')}
      dismissLabel={t('decide_later')}
      footer={
        doomed ? (
          <Button variant="danger" pending={cancel.isPending} onClick={() => cancel.mutate({ id: doomed.id })}>
            {t('cancel_guest', { guest: doomed.guest_name })}
          </Button>
        ) : (
          <Button disabled={choice !== BOTH} pending={keep.isPending} onClick={() => keep.mutate({ id, other_id })}>
            {choice === BOTH ? t('keep_both') : t('choose_first')}
          </Button>
        )
      }
    >
      <div className="grid gap-5">
        {both ? (
          <>
            <ul aria-label={t('bookings')} className="grid gap-3 sm:grid-cols-2">
              {both.map((reservation) => (
                <li key={reservation.id} className="min-w-0 rounded-lg border px-4 py-3">
                  <Booking reservation={reservation} />
                </li>
              ))}
            </ul>
            <fieldset className="grid gap-3">
              <legend className="mb-2 font-medium text-sm">{t('what_to_do')}</legend>
              <Checkbox
                type="radio"
                name="choice"
                label={t('keep_both')}
                hint={t('keep_both_does')}
                checked={choice === BOTH}
                onChange={() => setChoice(BOTH)}
              />
              {both.map((reservation) => (
                <CancelChoice
                  key={reservation.id}
                  reservation={reservation}
                  checked={choice === reservation.id}
                  onChoose={() => setChoice(reservation.id)}
                />
              ))}
            </fieldset>
          </>
        ) : error ? null : (
          <Skeleton className="h-56" />
        )}
        <FormErrorMessage refused={error ? toDisplayableError(error) : null} />
      </div>
    </Dialog>
  );
}

function Booking({ reservation: row }: { reservation: Reservation }) {
  const t = useTranslations('double_booking');
  const sourceName = useReservationSourceName();
  const at = (moment: string | null, never: string) => (moment ? <DateTimeWithoutTooltip value={moment} /> : never);
  return (
    <div className="grid gap-3">
      <h3 className="flex flex-wrap items-center gap-2 break-words font-semibold text-sm">
        {row.guest_name}
        <StatusBadge status={row.status} />
      </h3>
      <CompactDescriptionList
        items={[
          { label: t('source'), value: sourceName(row.source) },
          ...(row.external_id ? [{ label: t('booking_code'), value: row.external_id }] : []),
          { label: t('check_in'), value: <CalendarDay value={row.checkin_date} weekday /> },
          { label: t('check_out'), value: <CalendarDay value={row.checkout_date} weekday /> },
          { label: t('email'), value: row.guest_contact_missing ? t('no_email') : row.guest_email },
          { label: t('sent'), value: at(row.sent_at, t('not_sent')) },
          { label: t('signed'), value: at(row.signed_at, t('not_signed')) },
        ]}
      />
    </div>
  );
}

interface CancelChoiceProps {
  reservation: Reservation;
  checked: boolean;
  onChoose: () => void;
}

function CancelChoice({ reservation: row, checked, onChoose }: CancelChoiceProps) {
  const t = useTranslations('double_booking');
  const sourceName = useReservationSourceName();
  const { cancel } = row.actions;
  const hint = cancel.allowed
    ? [
        t(row.sent_at ? 'cancel_kills_link' : 'cancel_tells_nobody'),
        ...(row.source === 'direct' ? [] : [t('cancel_there_too', { source: sourceName(row.source) })]),
      ].join(' ')
    : cancel.message;
  return (
    <Checkbox
      type="radio"
      name="choice"
      label={t('cancel_guest', { guest: row.guest_name })}
      hint={hint}
      checked={checked}
      disabled={!cancel.allowed}
      onChange={onChoose}
    />
  );
}
