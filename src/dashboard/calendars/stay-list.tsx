'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CalendarRange } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { ORDERED_RESERVATION_STATUSES, STATUS_BADGE_TONES } from '../reservations/labels';
import { usePermissions } from '../shell/me';
import { useTRPC } from '../trpc';
import type { SyncSource } from '../types';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { CalendarDayRange } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Link } from '../ui/link';
import { toast } from '../ui/overlay/toaster';
import { Skeleton } from '../ui/skeleton';

/**
 * Lists the reservations that a source created, and the calendar's entries that are not bookings.
 */
export function SyncSourceStayList({ source }: { source: SyncSource }) {
  const t = useTranslations('calendar_detail');
  const trpc = useTRPC();
  const stays = useQuery(trpc.sync_sources.upcoming.queryOptions({ id: source.id }, { refetchInterval: 10_000 }));
  const { manages } = usePermissions();
  const ambiguous = source.kind === 'channel_c_ical' && manages;
  const marks = useQuery(trpc.sync_sources.marks.queryOptions({ id: source.id }, { enabled: ambiguous }));
  const mark = useMutation(
    trpc.sync_sources.mark.mutationOptions({ onSuccess: () => toast.success(t('remembered_with_the_next_run')) }),
  );
  const others = (marks.data?.marks ?? []).filter(({ as }) => as !== 'booking');
  const marked = (stay: { checkin_date: string; checkout_date: string }) =>
    marks.data?.marks.some(
      ({ as, checkin_date, checkout_date }) =>
        as === 'block' && checkin_date === stay.checkin_date && checkout_date === stay.checkout_date,
    );
  return (
    <Card>
      <CardHeader title={t('reservations_ahead')} description={t('what_this_source_has_brought')} />
      {stays.data?.data.length === 0 ? (
        <EmptyState icon={CalendarRange} title={t('none_yet')}>
          {t(source.forwarding_address ? 'mails_that_bring_new_bookings' : 'bookings_appear_once_it_has_been_read')}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line" aria-label={t('reservations_ahead')}>
          {stays.data ? null : (
            <li className="px-5 py-3.5">
              <Skeleton className="h-4 w-1/2" />
            </li>
          )}
          {stays.data?.data.map((stay) => (
            <li
              key={stay.id}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3.5 text-sm"
            >
              <div className="grid min-w-0 gap-0.5">
                <Link href={paths.reservation(stay.id)} className="break-words font-medium hover:underline">
                  {stay.guest_name}
                </Link>
                <span className="text-ink-soft">
                  <CalendarDayRange from={stay.checkin_date} to={stay.checkout_date} />
                </span>
              </div>
              <div className="flex flex-wrap items-center gap-2">
                {stay.contact_missing && stay.status === 'synced' ? (
                  <Badge tone="warning">{t('no_address_yet')}</Badge>
                ) : null}
                <StayStatus status={stay.status} />
                {ambiguous && stay.status === 'synced' && !marked(stay) ? (
                  <Button
                    variant="secondary"
                    size="sm"
                    pending={mark.isPending && mark.variables.checkin_date === stay.checkin_date}
                    onClick={() =>
                      mark.mutate({
                        id: source.id,
                        checkin_date: stay.checkin_date,
                        checkout_date: stay.checkout_date,
                        as: 'block',
                      })
                    }
                  >
                    {t('not_a_booking')}
                  </Button>
                ) : null}
                {marked(stay) ? <Badge tone="info">{t('will_be_cancelled')}</Badge> : null}
              </div>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 ? (
        <div className="border-t bg-muted/40 px-5 py-4">
          <h3 className="mb-2 font-medium text-sm">{t('blocks')}</h3>
          <ul className="grid gap-2" aria-label={t('blocks')}>
            {others.map(({ checkin_date, checkout_date, as }) => (
              <li
                key={`${checkin_date} ${checkout_date}`}
                className="flex flex-wrap items-center justify-between gap-2 text-sm"
              >
                <span>
                  <CalendarDayRange from={checkin_date} to={checkout_date} />
                  <span className="ml-2 text-ink-soft">
                    {t(as === 'proposed' ? 'over_60_nights' : 'you_said_it_is_a_block')}
                  </span>
                </span>
                <Button
                  variant="secondary"
                  size="sm"
                  pending={mark.isPending && mark.variables.checkin_date === checkin_date}
                  onClick={() => mark.mutate({ id: source.id, checkin_date, checkout_date, as: 'booking' })}
                >
                  {t('it_is_a_booking')}
                </Button>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </Card>
  );
}

function StayStatus({ status }: { status: string }) {
  const of_reservations = useTranslations('reservations');
  const known = ORDERED_RESERVATION_STATUSES.find((each) => each === status);
  return <Badge tone={known && STATUS_BADGE_TONES[known]}>{known ? of_reservations(`status_${known}`) : status}</Badge>;
}
