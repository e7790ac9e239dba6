'use client';
import { CalendarRange } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { STATUS_TONE, STATUSES } from '../reservations/labels';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { CalendarDay } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Link } from '../ui/link';
import { toast } from '../ui/overlay/toaster';
import { Skeleton } from '../ui/skeleton';
import { type Source, useMarkStay, useMarks, useUpcoming } from './queries';

/** The reservations a source has made, and the stays that are no bookings. */
export function StayList({ source }: { source: Source }) {
  const stays = useUpcoming(source.id);
  const ambiguous = source.kind === 'channel_c_ical';
  const marks = useMarks(source.id, ambiguous);
  const mark = useMarkStay(() => toast.success('Remembered. It takes effect with the next run, within a minute.'));
  const others = (marks.data?.marks ?? []).filter(({ as }) => as !== 'booking');
  const marked = (stay: { checkin_date: string; checkout_date: string }) =>
    marks.data?.marks.some(
      ({ as, checkin_date, checkout_date }) =>
        as === 'block' && checkin_date === stay.checkin_date && checkout_date === stay.checkout_date,
    );
  return (
    <Card>
      <CardHeader title="Reservations ahead" description="What this source has brought and is not over." />
      {stays.data?.data.length === 0 ? (
        <EmptyState icon={CalendarRange} title="None yet">
          {source.forwarding_address
            ? 'Mails that bring new bookings make reservations here; those of calendars are completed where they are.'
            : 'Bookings of the calendar appear here once it has been read.'}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line" aria-label="Reservations ahead">
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
                  <CalendarDay value={stay.checkin_date} /> to <CalendarDay value={stay.checkout_date} />
                </span>
              </div>
              <div className="flex flex-wrap items-center gap-2">
                {stay.contact_missing && stay.status === 'synced' ? <Badge tone="warning">No address yet</Badge> : null}
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
                    Not a booking
                  </Button>
                ) : null}
                {marked(stay) ? <Badge tone="info">Will be cancelled</Badge> : null}
              </div>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 ? (
        <div className="border-t bg-muted/40 px-5 py-4">
          <h3 className="mb-2 font-medium text-sm">Blocks</h3>
          <ul className="grid gap-2" aria-label="Blocks">
            {others.map(({ checkin_date, checkout_date, as }) => (
              <li
                key={`${checkin_date} ${checkout_date}`}
                className="flex flex-wrap items-center justify-between gap-2 text-sm"
              >
                <span>
                  <CalendarDay value={checkin_date} /> to <CalendarDay value={checkout_date} />
                  <span className="ml-2 text-ink-soft">
                    {as === 'proposed' ? 'over 60 nights, taken for a block' : 'you said it is a block'}
                  </span>
                </span>
                <Button
                  variant="secondary"
                  size="sm"
                  pending={mark.isPending && mark.variables.checkin_date === checkin_date}
                  onClick={() => mark.mutate({ id: source.id, checkin_date, checkout_date, as: 'booking' })}
                >
                  It is a booking
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
  const known = STATUSES.find((each) => each === status);
  return <Badge tone={known && STATUS_TONE[known]}>{known ? of_reservations(`status_${known}`) : status}</Badge>;
}
