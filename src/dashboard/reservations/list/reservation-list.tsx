'use client';
import { NotebookPen, Plus, SearchX, Upload } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRouter, useSearchParams } from 'next/navigation';
import { useMemo, useRef } from 'react';
import { turnsFrom } from '../../list/cursor';
import { useListUrl } from '../../list/list-url';
import { useRowKeys } from '../../list/row-keys';
import { useSelection } from '../../list/use-selection';
import { paths } from '../../paths';
import { readError } from '../../read-error';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { CalendarDay } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import { ErrorPanel } from '../../ui/error-panel';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { CursorPagination } from '../../ui/table/cursor-pagination';
import { type Column, DataTable } from '../../ui/table/data-table';
import { ArrivalBadge, StatusBadge, WaitingBadges } from '../badges';
import { useBulk } from '../bulk/use-bulk';
import { SOURCE } from '../labels';
import { type ListedReservation, useReservations } from '../queries';
import {
  countFilters,
  FILTER_NAMES,
  type ReservationFilters,
  readFilters,
  readSort,
  toggleSort,
  writeFilters,
} from './filters';
import { ReservationFilterBar } from './reservation-filters';
import { SavedViews } from './saved-views';

// Each is loaded when somebody asks for it.
const CreateReservationDialog = dynamic(
  () => import('../form/create-dialog').then((file) => file.CreateReservationDialog),
  { ssr: false },
);

const columns: Column<ListedReservation>[] = [
  { id: 'guest', header: 'Guest', cell: ({ row }) => row.original.guest_name },
  {
    id: 'property',
    header: 'Property',
    // One line a row: the whole name is on its page.
    cell: ({ row }) => (
      <span className="block max-w-44 truncate" title={row.original.property_name}>
        {row.original.property_name}
      </span>
    ),
  },
  {
    id: 'checkin',
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
  {
    id: 'status',
    header: 'Status',
    cell: ({ row }) => (
      <span className="flex flex-wrap gap-1.5">
        <StatusBadge status={row.original.status} />
        <WaitingBadges row={row.original} />
      </span>
    ),
  },
  {
    id: 'arrival',
    header: 'Arrival details',
    cell: ({ row }) => <ArrivalBadge release={row.original.arrival_release} status={row.original.status} />,
  },
];

const SORTABLE = { guest: 'guest', checkin: 'checkin' } as const;

const card = (row: ListedReservation) => (
  <div className="grid gap-1.5">
    <div className="flex items-center justify-between gap-3">
      <span className="truncate font-medium">{row.guest_name}</span>
      <StatusBadge status={row.status} />
    </div>
    <span className="text-ink-soft text-sm">
      <CalendarDay value={row.checkin_date} /> to <CalendarDay value={row.checkout_date} />
    </span>
    <span className="break-words text-ink-soft text-sm">{row.property_name}</span>
    <span className="flex flex-wrap gap-1.5 empty:hidden">
      <WaitingBadges row={row} />
    </span>
  </div>
);

export function ReservationList() {
  const router = useRouter();
  const search = useSearchParams();
  const list = useListUrl(FILTER_NAMES);
  const { values, cursor, turn } = list;
  const filters = useMemo(() => readFilters(values), [values]);
  const reservations = useReservations(filters, cursor);
  const rows = reservations.data?.data;
  const { newer, older } = turnsFrom(cursor, reservations.data);
  const { by, descending } = readSort(filters.sort);
  const sort = (column: string) =>
    list.set({ sort: toggleSort(SORTABLE[column as keyof typeof SORTABLE], filters.sort) });
  const selection = useSelection(rows);
  const bulk = useBulk(selection);
  const table = useRef<HTMLDivElement>(null);
  useRowKeys(table, (id, key) => (key === 'select' ? selection.toggle(id) : bulk.ask(key, [id])));

  return (
    <>
      <PageHeader
        title="Reservations"
        description="One for each guest’s stay: what was sent, who signed, what was released."
        actions={
          <>
            <Button asChild variant="secondary">
              <Link href={paths.import_reservations}>
                <Upload aria-hidden />
                Import
              </Link>
            </Button>
            <Button asChild>
              <Link href={paths.new_reservation}>
                <Plus aria-hidden />
                New reservation
              </Link>
            </Button>
          </>
        }
      />
      <Card>
        <ReservationFilterBar
          filters={filters}
          list={list}
          views={<SavedViews query={writeFilters({ ...filters, q: undefined })} />}
        />
        {reservations.error && !reservations.data ? (
          <ListError error={reservations.error} onRetry={() => void reservations.refetch()} onClear={list.clear} />
        ) : (
          <div ref={table}>
            <DataTable
              label="Reservations"
              columns={columns}
              data={rows}
              stale={reservations.isPlaceholderData}
              href={(row) => paths.reservation(row.id)}
              card={card}
              empty={<Empty filters={filters} onClear={list.clear} />}
              choosing={{ ...selection, name: (row) => row.guest_name }}
              sorting={{ columns: Object.keys(SORTABLE), by, descending, onSort: sort }}
            />
            {rows && (rows.length > 0 || newer) ? (
              <CursorPagination
                summary={`${rows.length} ${rows.length === 1 ? 'reservation' : 'reservations'} on this page`}
                labels={by === 'created' && descending ? undefined : ['Previous', 'Next']}
                onNewer={newer && (() => turn(newer))}
                onOlder={older && (() => turn(older))}
              />
            ) : null}
          </div>
        )}
      </Card>
      {bulk.shown}
      {search.has('new') ? (
        <CreateReservationDialog onClose={() => list.type({})} onCreated={(id) => router.push(paths.reservation(id))} />
      ) : null}
    </>
  );
}

function Empty({ filters, onClear }: { filters: ReservationFilters; onClear: () => void }) {
  if (countFilters(filters) > 0 || filters.q) {
    return (
      <EmptyState
        icon={SearchX}
        title={filters.q ? `Nothing found for “${filters.q}”` : 'No reservation fits these filters'}
        action={
          <Button variant="secondary" onClick={onClear}>
            Clear the filters
          </Button>
        }
      >
        {filters.q
          ? 'The search looks at how words begin: of the guest’s name, the e-mail address and the booking code.'
          : 'Widen the dates, or look at another status or property.'}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={NotebookPen}
      title="No reservations yet"
      action={
        <>
          <Button asChild variant="secondary">
            <Link href={paths.import_reservations}>Import a file</Link>
          </Button>
          <Button asChild variant="secondary">
            <Link href={paths.calendars}>Connect a calendar</Link>
          </Button>
        </>
      }
    >
      Create one here, import a file, connect a booking channel’s calendar, or let your own system create them through{' '}
      <code className="font-mono text-xs">POST /v1/reservations</code>.
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
      message={stale_cursor ? 'The page you were on is no longer there. Start again from the first.' : message}
      requestId={request_id}
      onRetry={stale_cursor ? onClear : onRetry}
    />
  );
}
