'use client';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../../developers/notice';
import { paths } from '../../paths';
import { Button } from '../../ui/button';
import { CalendarDay } from '../../ui/date-time';
import { Link } from '../../ui/link';
import { type Reservation, useBothReal } from '../queries';
import type { OpenDialog } from './reservation-actions';

type Shared = Reservation['same_nights'][number];

/** Other reservations of the same nights: which is right, or that they are one stay. */
export function SameNightsNotices({
  reservation,
  onOpen,
}: {
  reservation: Reservation;
  onOpen: (dialog: OpenDialog) => void;
}) {
  const t = useTranslations('reservations');
  const both_real = useBothReal();
  const { cancel } = reservation.actions;
  return reservation.same_nights.map((one) => {
    const key = one.reservation_id;
    if (one.as === 'repeats') {
      return (
        <Notice key={key} tone="info" title="The same stay from a second calendar">
          These are the nights of <Other shared={one} /> once more, without a guest: nothing is sent and nobody is asked
          to sign. If it is a booking of its own, add the guest’s address.
        </Notice>
      );
    }
    if (one.as === 'repeated_by') {
      return (
        <Notice key={key} tone="info" title={t('also_on', { source: t(`source_${one.source}`) })}>
          A second calendar closes the nights of this stay: <Other shared={one} />.
        </Notice>
      );
    }
    if (one.both_real) return null;
    return (
      <Notice
        key={key}
        tone="warning"
        title="Another booking for the same nights"
        actions={
          <>
            <Button
              variant="secondary"
              size="sm"
              pending={both_real.isPending}
              onClick={() => both_real.mutate({ id: reservation.id, other_id: one.reservation_id })}
            >
              Both are real
            </Button>
            <Button
              variant="secondary"
              size="sm"
              disabledReason={cancel.allowed ? null : cancel.message}
              onClick={() => onOpen('cancel')}
            >
              Cancel this one
            </Button>
          </>
        }
      >
        <Other shared={one} /> (<CalendarDay value={one.checkin_date} /> to <CalendarDay value={one.checkout_date} />,{' '}
        {t(`source_${one.source}`)}) wants nights of this stay.
        {reservation.held_back ? ' The packet is not sent by itself until you say which is right.' : null}
      </Notice>
    );
  });
}

function Other({ shared }: { shared: Shared }) {
  return (
    <Link href={paths.reservation(shared.reservation_id)} className="underline underline-offset-4">
      {shared.guest_name}
    </Link>
  );
}
