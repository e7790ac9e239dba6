'use client';
import { DoorOpen } from 'lucide-react';
import { paths } from '../paths';
import { readError } from '../read-error';
import { StatusBadge } from '../reservations/badges';
import type { ListedReservation } from '../reservations/queries';
import { Card, CardHeader } from '../ui/card';
import { CalendarDay } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { ErrorPanel } from '../ui/error-panel';
import { Link } from '../ui/link';
import { Skeleton } from '../ui/skeleton';

const SHOWN = 12;

interface ArrivalsCardProps {
  rows: ListedReservation[] | undefined;
  /** Whether there are more than were asked for. */
  has_more: boolean;
  error: unknown;
  onRetry: () => void;
  /** The list with the same days. */
  all: string;
}

/** Who arrives in the next two weeks, and how far each is. */
export function ArrivalsCard({ rows, has_more, error, onRetry, all }: ArrivalsCardProps) {
  const signed = rows?.filter((row) => row.status === 'signed').length ?? 0;
  return (
    <Card aria-busy={!rows && !error}>
      <CardHeader
        title="Arrivals"
        description={
          rows && rows.length > 0 && !has_more
            ? `In the next 14 days: ${rows.length}, and ${signed} signed`
            : 'The next 14 days'
        }
        actions={
          <Link href={all} className="text-sm underline underline-offset-4">
            Show in the list
          </Link>
        }
      />
      {error && !rows ? (
        <ErrorPanel
          title="The arrivals could not be loaded"
          message={readError(error).message}
          requestId={readError(error).request_id}
          onRetry={onRetry}
        />
      ) : null}
      {!rows && !error ? (
        <div className="grid gap-4 px-5 py-4">
          {['w-1/2', 'w-2/5', 'w-3/5'].map((width) => (
            <Skeleton key={width} className={`h-5 ${width}`} />
          ))}
        </div>
      ) : null}
      {rows?.length === 0 ? (
        <EmptyState icon={DoorOpen} title="Nobody arrives in the next two weeks">
          Reservations appear here as their check-in comes near.
        </EmptyState>
      ) : null}
      {rows && rows.length > 0 ? (
        <ul aria-label="Arrivals" className="divide-y divide-line">
          {rows.slice(0, SHOWN).map((row) => (
            <li key={row.id}>
              <Link
                href={paths.reservation(row.id)}
                className="flex items-center gap-4 px-5 py-3 text-sm hover:bg-muted/60"
              >
                <span className="w-24 shrink-0 text-ink-soft">
                  <CalendarDay value={row.checkin_date} />
                </span>
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-medium">{row.guest_name}</span>
                  <span className="block truncate text-ink-soft text-xs">{row.property_name}</span>
                </span>
                <StatusBadge status={row.status} />
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      {rows && (rows.length > SHOWN || has_more) ? (
        <p className="border-t px-5 py-3 text-ink-soft text-sm">
          {has_more ? 'More than a hundred' : `${rows.length - SHOWN} more`} in{' '}
          <Link href={all} className="underline underline-offset-4">
            the list
          </Link>
          .
        </p>
      ) : null}
    </Card>
  );
}
