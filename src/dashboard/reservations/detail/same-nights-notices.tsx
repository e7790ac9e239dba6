'use client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useReservationSourceName } from '../../channel-names';
import { Notice } from '../../developers/notice';
import { paths } from '../../paths';
import { useTRPC } from '../../trpc';
import type { Reservation } from '../../types';
import { Button } from '../../ui/button';
import { CalendarDay } from '../../ui/date-time';
import { lazyComponent } from '../../ui/lazy-component';
import { Link } from '../../ui/link';

const DoubleBookingDialog = lazyComponent(() => import('../double-booking/double-booking-dialog'));

type Shared = Reservation['same_nights'][number];

/**
 * Shows other reservations for the same nights. A notice explains that they are the same stay, or
 * asks the host to resolve a double booking.
 */
export function DoubleBookingNotices({ reservation }: { reservation: Reservation }) {
  const say = useTranslations('reservation_detail');
  const t = useTranslations('reservations');
  const trpc = useTRPC();
  const both_real = useMutation(trpc.reservations.both_real.mutationOptions());
  const [compared, setCompared] = useState<string | null>(null);
  const sourceName = useReservationSourceName();
  const notices = reservation.same_nights.map((one) => {
    const key = one.reservation_id;
    if (one.as === 'repeats') {
      return (
        <Notice key={key} tone="info" title={say('the_same_stay_from_a_second_calendar')}>
          {say.rich('these_are_the_nights_of_once_more', { other: () => <Other shared={one} /> })}
        </Notice>
      );
    }
    if (one.as === 'repeated_by') {
      return (
        <Notice key={key} tone="info" title={t('also_on', { source: sourceName(one.source) })}>
          {say.rich('a_second_calendar_closes_the_nights_of', { other: () => <Other shared={one} /> })}
        </Notice>
      );
    }
    if (one.both_real) return null;
    return (
      <Notice
        key={key}
        tone="warning"
        title={say('another_booking_for_the_same_nights')}
        actions={
          <>
            <Button
              variant="secondary"
              size="sm"
              pending={both_real.isPending}
              onClick={() => both_real.mutate({ id: reservation.id, other_id: one.reservation_id })}
            >
              {say('both_are_real')}
            </Button>
            <Button variant="secondary" size="sm" onClick={() => setCompared(one.reservation_id)}>
              {say('compare_bookings')}
            </Button>
          </>
        }
      >
        {say.rich('another_wants_nights_of_this_stay', {
          other: () => <Other shared={one} />,
          from: () => <CalendarDay value={one.checkin_date} />,
          until: () => <CalendarDay value={one.checkout_date} />,
          source: sourceName(one.source),
        })}
        {reservation.held_back ? ` ${say('the_packet_is_not_sent_by_itself')}` : null}
      </Notice>
    );
  });
  return (
    <>
      {notices}
      {compared ? (
        <DoubleBookingDialog id={reservation.id} other_id={compared} onClose={() => setCompared(null)} />
      ) : null}
    </>
  );
}

function Other({ shared }: { shared: Shared }) {
  return (
    <Link href={paths.reservation(shared.reservation_id)} className="underline underline-offset-4">
      {shared.guest_name}
    </Link>
  );
}
