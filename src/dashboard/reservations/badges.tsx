'use client';
import { Badge } from '../ui/badge';
import { ARRIVAL_TONE, SOURCE, STATUS } from './labels';
import type { ListedReservation, Reservation } from './queries';
import { isRepeat, isUnsent } from './status-words';

export function StatusBadge({ status }: { status: Reservation['status'] }) {
  const { label, tone } = STATUS[status];
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  );
}

const KEPT = ['released', 'viewed', 'override_released'];

/** Whether a stay was cancelled before anything was released for it. */
export const isOver = ({ status, arrival_release }: Pick<Reservation, 'status' | 'arrival_release'>) =>
  status === 'ignored' && !KEPT.includes(arrival_release.state);

/** Of a cancelled stay only what was released before is of interest: nothing is held for it any more. */
export function ArrivalBadge({
  release,
  status,
}: {
  release: Reservation['arrival_release'];
  status: Reservation['status'];
}) {
  if (isOver({ status, arrival_release: release })) return <span className="text-ink-soft">–</span>;
  return <Badge tone={ARRIVAL_TONE[release.state] ?? 'neutral'}>{release.state_label}</Badge>;
}

/** Beside the status of a reservation that was sent: its mail did not arrive. */
export function MailProblemBadge({ problem }: { problem: Reservation['mail_problem'] }) {
  if (!problem) return null;
  if (problem.status === 'captured') return <Badge tone="warning">Not mailed: share the link</Badge>;
  return (
    <Badge tone="danger">
      <span title={problem.reason ?? undefined}>Mail not delivered</span>
    </Badge>
  );
}

/** Beside the status: another source has a booking of the same nights, or the very same stay. */
export function SameNightsBadge({ shared }: { shared: Reservation['same_nights'] }) {
  const [first] = shared;
  if (!first || first.both_real) return null;
  if (first.as === 'conflict' || first.as === 'repeats') {
    const words = first.as === 'conflict' ? 'Same nights as' : 'Same stay as';
    return (
      <Badge tone={first.as === 'conflict' ? 'danger' : 'neutral'}>
        <span className="max-w-56 truncate" title={first.guest_name}>
          {words} {first.guest_name}
        </span>
      </Badge>
    );
  }
  return <Badge tone="neutral">Also on {SOURCE[first.source]}</Badge>;
}

/** What about a reservation waits for its host. */
export function WaitingBadges({ row }: { row: ListedReservation }) {
  return (
    <>
      <SameNightsBadge shared={row.same_nights} />
      <MailProblemBadge problem={row.mail_problem} />
      {row.dates_changed_after_send_at ? <Badge tone="warning">Dates changed</Badge> : null}
      {row.guest_contact_missing && isUnsent(row) && !isRepeat(row) ? <Badge tone="warning">No address</Badge> : null}
    </>
  );
}
