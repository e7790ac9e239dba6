'use client';
import { NotebookPen, SearchX } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useMemo } from 'react';
import { paths } from '../paths';
import { useProperties } from '../properties/queries';
import { readError } from '../read-error';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { CursorPagination } from '../ui/cursor-pagination';
import { type Column, DataTable } from '../ui/data-table';
import { CalendarDay } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { ErrorPanel } from '../ui/error-panel';
import { PageHeader } from '../ui/page-header';
import { ArrivalBadge, StatusBadge } from './badges';
import { countFilters, type ReservationFilters, readFilters, waysFrom, writeFilters } from './filters';
import { SOURCE } from './labels';
import { type Reservation, useReservations } from './queries';
import { ReservationFilterBar } from './reservation-filters';

type Row = Reservation & { property_name: string };

const columns: Column<Row>[] = [
  { id: 'guest', header: 'Guest', cell: ({ row }) => row.original.guest_name },
  { id: 'property', header: 'Property', cell: ({ row }) => row.original.property_name },
  {
    id: 'stay',
    header: 'Stay',
    cell: ({ row }) => (
      <span className="whitespace-nowrap">
        <CalendarDay value={row.original.checkin_date} /> <span className="text-ink-soft">to</span>{' '}
        <CalendarDay value={row.original.checkout_date} />
      </span>
    ),
  },
  {
    id: 'source',
    header: 'Source',
    cell: ({ row }) => <span className="text-ink-soft">{SOURCE[row.original.source]}</span>,
  },
  { id: 'status', header: 'Status', cell: ({ row }) => <StatusBadge status={row.original.status} /> },
  {
    id: 'arrival',
    header: 'Arrival details',
    cell: ({ row }) => <ArrivalBadge release={row.original.arrival_release} />,
  },
];

const card = (row: Row) => (
  <div className="grid gap-1.5">
    <div className="flex items-center justify-between gap-3">
      <span className="truncate font-medium">{row.guest_name}</span>
      <StatusBadge status={row.status} />
    </div>
    <span className="text-ink-soft text-sm">
      <CalendarDay value={row.checkin_date} /> to <CalendarDay value={row.checkout_date} />
    </span>
    <span className="truncate text-ink-soft text-sm">{row.property_name}</span>
  </div>
);

export function ReservationList() {
  const router = useRouter();
  const search = useSearchParams();
  const filters = useMemo(() => readFilters(search), [search]);
  const reservations = useReservations(filters);
  const properties = useProperties();

  const names = useMemo(
    () => new Map(properties.data?.data.map((property) => [property.id, property.name])),
    [properties.data],
  );
  const rows = useMemo(
    () =>
      reservations.data?.data.map((row) => ({ ...row, property_name: names.get(row.property_id) ?? row.property_id })),
    [reservations.data, names],
  );
  const go = (next: ReservationFilters) => {
    const query = writeFilters(next);
    router.push(query ? `${paths.reservations}?${query}` : paths.reservations, { scroll: false });
  };
  const ways = reservations.data ? waysFrom(filters, reservations.data) : { newer: null, older: null };

  return (
    <>
      <PageHeader
        title="Reservations"
        description="One for each guest’s stay: what was sent, who signed, what was released."
      />
      <Card>
        <ReservationFilterBar filters={filters} onChange={go} />
        {reservations.error && !reservations.data ? (
          <ListError error={reservations.error} onRetry={() => void reservations.refetch()} onClear={() => go({})} />
        ) : (
          <>
            <DataTable
              label="Reservations"
              columns={columns}
              data={rows}
              stale={reservations.isPlaceholderData}
              href={(row) => paths.reservation(row.id)}
              card={card}
              empty={<Empty filters={filters} onClear={() => go({})} />}
            />
            {rows && (rows.length > 0 || ways.newer) ? (
              <CursorPagination
                summary={`${rows.length} ${rows.length === 1 ? 'reservation' : 'reservations'} on this page`}
                onNewer={ways.newer && (() => go(ways.newer as ReservationFilters))}
                onOlder={ways.older && (() => go(ways.older as ReservationFilters))}
              />
            ) : null}
          </>
        )}
      </Card>
    </>
  );
}

function Empty({ filters, onClear }: { filters: ReservationFilters; onClear: () => void }) {
  if (countFilters(filters) > 0) {
    return (
      <EmptyState
        icon={SearchX}
        title="No reservation fits these filters"
        action={
          <Button variant="secondary" onClick={onClear}>
            Clear the filters
          </Button>
        }
      >
        Widen the dates, or look at another status or property.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={NotebookPen} title="No reservations yet">
      They come from your own system through <code className="font-mono text-xs">POST /v1/reservations</code>, or from a
      booking channel’s calendar.
    </EmptyState>
  );
}

function ListError({ error, onRetry, onClear }: { error: unknown; onRetry: () => void; onClear: () => void }) {
  const { code, message, request_id } = readError(error);
  // A cursor can name a reservation that has since been deleted.
  const stale_cursor = code === 'invalid_cursor';
  return (
    <ErrorPanel
      title="The reservations could not be loaded"
      message={stale_cursor ? 'The page you were on is no longer there. Start again from the newest.' : message}
      requestId={request_id}
      onRetry={stale_cursor ? onClear : onRetry}
    />
  );
}
