'use client';
/** Shows one stay next to the calendar: its progress, what needs the host, and the next action. */
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { ReservationSourceNameText } from '../channel-names';
import { NotFoundOrErrorCard } from '../not-found-or-error';
import { paths } from '../paths';
import { MailProblemBadge, StatusBadge } from '../reservations/badges';
import { ReservationActions, type ReservationDialogName } from '../reservations/detail/reservation-actions';
import { ReservationNotices } from '../reservations/detail/reservation-notices';
import { describeReservationProgress } from '../reservations/status-words';
import { useTRPC } from '../trpc';
import type { StayCalendarProperty, StayCalendarStay } from '../types';
import { CompactDescriptionList } from '../ui/card';
import { CalendarDay, DateTime } from '../ui/date-time';
import { Link } from '../ui/link';
import { SidePanel } from '../ui/overlay/side-panel';
import { useFormatTimeSince } from '../ui/since';
import { Skeleton } from '../ui/skeleton';
import { convertDateToEpochDay } from './geometry';

interface StayPanelProps {
  stay: StayCalendarStay;
  property: StayCalendarProperty | undefined;
  onClose: () => void;
}

export default function StayPanel({ stay, property, onClose }: StayPanelProps) {
  const say = useTranslations('stay_calendar');
  const t = useTranslations('reservations');
  const ago = useFormatTimeSince();
  const trpc = useTRPC();
  const {
    data: row,
    error,
    refetch,
  } = useQuery(trpc.reservations.retrieve.queryOptions({ id: stay.id }, { refetchInterval: 15_000 }));
  const [open, setOpen] = useState<ReservationDialogName | null>(null);
  const zone = property?.timezone ?? null;
  const nights = convertDateToEpochDay(stay.checkout_date) - convertDateToEpochDay(stay.checkin_date);
  return (
    <SidePanel onClose={onClose} title={row?.guest_name ?? stay.guest_name} description={property?.name}>
      {row ? (
        <div className="grid gap-5">
          <div className="flex flex-wrap items-center gap-2 text-sm">
            <StatusBadge status={row.status} />
            <MailProblemBadge problem={row.mail_problem} />
            <span className="text-ink-soft">{describeReservationProgress(row, t, ago)}</span>
          </div>
          <div className="flex flex-wrap gap-2">
            <ReservationActions reservation={row} open={open} onOpen={setOpen} />
          </div>
          <div className="-mb-5">
            <ReservationNotices reservation={row} zone={zone} onOpen={setOpen} />
          </div>
          <CompactDescriptionList
            items={[
              { label: say('check_in'), value: <CalendarDay value={row.checkin_date} weekday /> },
              { label: say('check_out'), value: <CalendarDay value={row.checkout_date} weekday /> },
              { label: say('nights'), value: nights },
              { label: say('e_mail'), value: row.guest_contact_missing ? say('no_address_yet') : row.guest_email },
              { label: say('source'), value: <ReservationSourceNameText source={row.source} /> },
              { label: say('sent'), value: <DateTime value={row.sent_at} zone={zone} /> },
              { label: say('signed'), value: <DateTime value={row.signed_at} zone={zone} /> },
            ]}
          />
          <Link
            href={paths.reservation(row.id)}
            className="inline-flex w-fit items-center gap-1 font-medium text-primary text-sm underline underline-offset-4"
          >
            {say('everything_about_this_stay')}
            <ArrowRight className="size-4" aria-hidden />
          </Link>
        </div>
      ) : error ? (
        <NotFoundOrErrorCard
          error={error}
          noun={say('reservation')}
          list={{ href: paths.reservations, label: say('all_reservations') }}
          onRetry={() => void refetch()}
        />
      ) : (
        <div aria-busy="true" className="grid gap-4">
          <Skeleton className="h-6 w-40" />
          <Skeleton className="h-9 w-56" />
          <Skeleton className="h-40" />
        </div>
      )}
    </SidePanel>
  );
}
