'use client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { useReservationSourceName } from '../channel-names';
import { paths } from '../paths';
import { StatusBadge } from '../reservations/badges';
import { usePermissions } from '../shell/me';
import { useTRPC } from '../trpc';
import type { ListedReservation } from '../types';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { CalendarDayRange } from '../ui/date-time';
import { lazyComponent } from '../ui/lazy-component';
import { Link } from '../ui/link';
import { DOUBLE_BOOKINGS_ANCHOR, type DoubleBookingPair } from './attention';

const DoubleBookingDialog = lazyComponent(() => import('../reservations/double-booking/double-booking-dialog'));

interface PairIds {
  id: string;
  other_id: string;
}

interface DoubleBookingsCardProps {
  pairs: readonly DoubleBookingPair<ListedReservation>[];
  /** True when there are more pairs than `pairs` contains. */
  more: boolean;
}

/** Shows double bookings side by side, with the actions for each pair. */
export function DoubleBookingsCard({ pairs, more }: DoubleBookingsCardProps) {
  const t = useTranslations('home');
  const { handles_guests } = usePermissions();
  const trpc = useTRPC();
  const both_real = useMutation(trpc.reservations.both_real.mutationOptions());
  const [compared, setCompared] = useState<PairIds | null>(null);
  return (
    <div id={DOUBLE_BOOKINGS_ANCHOR} className="scroll-mt-20 empty:hidden">
      {pairs.length > 0 ? (
        <Card>
          <CardHeader title={t('double_bookings')} description={t('double_bookings_wait')} />
          <ul aria-label={t('double_bookings')} className="divide-y divide-line">
            {pairs.map(({ key, one, other }) => {
              const pair = { id: one.id, other_id: other.reservation_id };
              const guests = t('two_guests', { one: one.guest_name, other: other.guest_name });
              return (
                <li key={key} className="grid gap-x-6 gap-y-2 px-5 py-3 text-sm md:grid-cols-[1fr_1fr_auto]">
                  <p className="break-words text-ink-soft text-xs md:col-span-3">{one.property_name}</p>
                  <Booking {...one} reservation_id={one.id} />
                  <Booking {...other} />
                  <div
                    hidden={!handles_guests}
                    className="flex flex-wrap items-center gap-2 md:justify-end [&[hidden]]:hidden"
                  >
                    <Button
                      variant="secondary"
                      size="sm"
                      aria-label={t('both_are_real_title', { title: guests })}
                      pending={both_real.isPending && samePair(both_real.variables, pair)}
                      onClick={() => both_real.mutate(pair)}
                    >
                      {t('both_are_real')}
                    </Button>
                    <Button
                      variant="secondary"
                      size="sm"
                      aria-label={t('cancel_one_title', { title: guests })}
                      onClick={() => setCompared(pair)}
                    >
                      {t('cancel_one')}
                    </Button>
                  </div>
                </li>
              );
            })}
          </ul>
          {more ? (
            <p className="border-t px-5 py-3 text-ink-soft text-sm">
              {t.rich('more_double_bookings', {
                link: (words) => (
                  <Link
                    href={`${paths.reservations}?attention=same_nights&sort=checkin`}
                    className="underline underline-offset-4"
                  >
                    {words}
                  </Link>
                ),
              })}
            </p>
          ) : null}
        </Card>
      ) : null}
      {compared ? <DoubleBookingDialog {...compared} onClose={() => setCompared(null)} /> : null}
    </div>
  );
}

const samePair = (a: PairIds | undefined, b: PairIds) => a?.id === b.id && a.other_id === b.other_id;

type BookingProps = Pick<
  ListedReservation['same_nights'][number],
  'reservation_id' | 'guest_name' | 'source' | 'status' | 'checkin_date' | 'checkout_date'
>;

function Booking({ reservation_id, guest_name, source, status, checkin_date, checkout_date }: BookingProps) {
  const sourceName = useReservationSourceName();
  return (
    <div className="grid min-w-0 content-start gap-1">
      <span className="flex min-w-0 flex-wrap items-center gap-2">
        <Link href={paths.reservation(reservation_id)} className="min-w-0 break-words font-medium hover:underline">
          {guest_name}
        </Link>
        <StatusBadge status={status} />
      </span>
      <span className="text-ink-soft">
        {sourceName(source)} · <CalendarDayRange from={checkin_date} to={checkout_date} />
      </span>
    </div>
  );
}
