'use client';
import { useTranslations } from 'use-intl/react';
import { useReservationSourceName } from '../channel-names';
import type { ListedReservation, Reservation } from '../types';
import { Badge } from '../ui/badge';
import { ARRIVAL_DETAILS_BADGE_TONES, STATUS_BADGE_TONES } from './labels';
import { isBookingRepeatedFromOtherCalendar, isReservationUnsent } from './status-words';

export function StatusBadge({ status }: { status: Reservation['status'] }) {
  const t = useTranslations('reservations');
  return (
    <Badge tone={STATUS_BADGE_TONES[status]} dot>
      {t(`status_${status}`)}
    </Badge>
  );
}

const KEPT = ['released', 'viewed', 'override_released'];

/** Returns whether a stay was cancelled before any arrival details were released. */
export const isCancelledBeforeArrivalDetailsRelease = ({
  status,
  arrival_release,
}: Pick<Reservation, 'status' | 'arrival_release'>) => status === 'ignored' && !KEPT.includes(arrival_release.state);

/**
 * Shows the state of the arrival details. For a cancelled stay, shows it only if the details were
 * released before.
 */
export function ArrivalDetailsBadge({
  release,
  status,
}: {
  release: Reservation['arrival_release'];
  status: Reservation['status'];
}) {
  const t = useTranslations('reservations');

  if (isCancelledBeforeArrivalDetailsRelease({ status, arrival_release: release }))
    return <span className="text-ink-soft">–</span>;
  return <Badge tone={ARRIVAL_DETAILS_BADGE_TONES[release.state] ?? 'neutral'}>{t(`release_${release.state}`)}</Badge>;
}

/** Marks a sent reservation whose mail did not arrive. */
export function MailProblemBadge({ problem }: { problem: Reservation['mail_problem'] }) {
  const t = useTranslations('reservations');
  if (!problem) return null;
  if (problem.status === 'captured') return <Badge tone="warning">{t('not_mailed_share_the_link')}</Badge>;
  return (
    <Badge tone="danger">
      <span title={problem.reason ?? undefined}>{t('mail_not_delivered')}</span>
    </Badge>
  );
}

/** Marks a reservation when another source has the same stay, or a booking for the same nights. */
export function DoubleBookingBadge({ shared }: { shared: Reservation['same_nights'] }) {
  const t = useTranslations('reservations');
  const sourceName = useReservationSourceName();
  const [first] = shared;
  if (!first || first.both_real) return null;
  if (first.as === 'conflict' || first.as === 'repeats') {
    return (
      <Badge tone={first.as === 'conflict' ? 'danger' : 'neutral'}>
        <span className="max-w-44 truncate" title={first.guest_name}>
          {t(first.as === 'conflict' ? 'same_nights_as' : 'same_stay_as', { guest: first.guest_name })}
        </span>
      </Badge>
    );
  }
  return <Badge tone="neutral">{t('also_on', { source: sourceName(first.source) })}</Badge>;
}

/** Marks a reservation that needs the host's attention. */
export function AttentionBadges({ row }: { row: ListedReservation }) {
  const t = useTranslations('reservations');
  return (
    <>
      <DoubleBookingBadge shared={row.same_nights} />
      <MailProblemBadge problem={row.mail_problem} />
      {row.dates_changed_after_send_at ? <Badge tone="warning">{t('dates_changed')}</Badge> : null}
      {row.guest_contact_missing && isReservationUnsent(row) && !isBookingRepeatedFromOtherCalendar(row) ? (
        <Badge tone="warning">{t('no_address')}</Badge>
      ) : null}
    </>
  );
}
