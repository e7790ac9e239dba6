'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { NotebookPen, Plus, SearchX, Upload } from 'lucide-react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useMemo, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { ReservationSourceNameText } from '../../channel-names';
import type { NamespaceTranslator } from '../../i18n/namespace-translator';
import { getNeighborCursors } from '../../list/cursor';
import { useListUrl } from '../../list/list-url';
import { MonthCsvExportButton } from '../../list/month-export';
import { useRowShortcuts } from '../../list/row-keys';
import { useRowSelection } from '../../list/use-selection';
import { paths } from '../../paths';
import { toDisplayableError } from '../../read-error';
import { useViewerClock } from '../../reader';
import { usePermissions } from '../../shell/me';
import { useTRPC } from '../../trpc';
import type { ListedReservation } from '../../types';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { CalendarDay } from '../../ui/date-time';
import { EmptyState } from '../../ui/empty-state';
import { ErrorPanel } from '../../ui/error-panel';
import { lazyComponent } from '../../ui/lazy-component';
import { LinkButton } from '../../ui/link-button';
import { PageHeader } from '../../ui/page-header';
import { CursorPagination } from '../../ui/table/cursor-pagination';
import { type Column, DataTable } from '../../ui/table/data-table';
import { TruncatedText } from '../../ui/table/one-line';
import { getIsoDateInTimeZone } from '../../ui/zone';
import { ArrivalDetailsBadge, AttentionBadges, StatusBadge } from '../badges';
import { useBulkActionMenu } from '../bulk/use-bulk';
import {
  buildReservationListPageInput,
  countSetReservationFilters,
  formatReservationFilters,
  parseReservationFilters,
  parseReservationSortOrder,
  RESERVATION_FILTER_NAMES,
  type ReservationFilters,
  toggleReservationSortOrder,
} from './filters';
import { ReservationFilterBar } from './reservation-filters';
import { LazySavedViews } from './views';

const CreateReservationDialog = lazyComponent(() =>
  import('../form/create-dialog').then((file) => file.CreateReservationDialog),
);

const columnsOf = (t: NamespaceTranslator<'reservations'>): Column<ListedReservation>[] => [
  { id: 'guest', header: t('guest'), cell: (row) => <TruncatedText text={row.guest_name} /> },
  { id: 'property', header: t('property'), cell: (row) => <TruncatedText text={row.property_name} /> },
  {
    id: 'checkin',
    header: t('stay'),
    cell: (row) => (
      <span className="whitespace-nowrap">
        <CalendarDay value={row.checkin_date} /> <span className="text-ink-soft">{t('to')}</span>{' '}
        <CalendarDay value={row.checkout_date} />
      </span>
    ),
  },
  {
    id: 'source',
    header: t('source'),
    cell: (row) => (
      <span className="whitespace-nowrap text-ink-soft">
        <ReservationSourceNameText source={row.source} />
      </span>
    ),
  },
  {
    id: 'status',
    header: t('status'),
    cell: (row) => (
      <span className="flex flex-wrap gap-1.5">
        <StatusBadge status={row.status} />
        <AttentionBadges row={row} />
      </span>
    ),
  },
  {
    id: 'arrival',
    header: t('arrival_details'),
    cell: (row) => <ArrivalDetailsBadge release={row.arrival_release} status={row.status} />,
  },
];

const SORTABLE = { guest: 'guest', checkin: 'checkin' } as const;

const cardOf = (t: NamespaceTranslator<'reservations'>) => (row: ListedReservation) => (
  <div className="grid gap-1.5">
    <div className="flex items-center justify-between gap-3">
      <span className="truncate font-medium">{row.guest_name}</span>
      <StatusBadge status={row.status} />
    </div>
    <span className="text-ink-soft text-sm">
      <CalendarDay value={row.checkin_date} /> {t('to')} <CalendarDay value={row.checkout_date} />
    </span>
    <span className="break-words text-ink-soft text-sm">{row.property_name}</span>
    <span className="flex flex-wrap gap-1.5 empty:hidden">
      <AttentionBadges row={row} />
    </span>
  </div>
);

export function ReservationList() {
  const t = useTranslations('reservations');
  const router = useRouter();
  const search = useSearchParams();
  const { manages, handles_guests } = usePermissions();
  const list = useListUrl(RESERVATION_FILTER_NAMES);
  const { values, cursor, turn } = list;
  const [columns, card] = useMemo(() => [columnsOf(t), cardOf(t)], [t]);
  const filters = useMemo(() => parseReservationFilters(values), [values]);
  const { zone, now } = useViewerClock();
  const trpc = useTRPC();
  const reservations = useQuery(
    trpc.reservations.list.queryOptions(
      buildReservationListPageInput(filters, cursor, getIsoDateInTimeZone(now(), zone)),
      {
        placeholderData: keepPreviousData,
      },
    ),
  );
  const rows = reservations.data?.data;
  const { newer, older } = getNeighborCursors(cursor, reservations.data);
  const { by, descending } = parseReservationSortOrder(filters.sort);
  const sort = (column: string) =>
    list.set({ sort: toggleReservationSortOrder(SORTABLE[column as keyof typeof SORTABLE], filters.sort) });
  const selection = useRowSelection(rows);
  const bulk = useBulkActionMenu(selection);
  const table = useRef<HTMLDivElement>(null);
  useRowShortcuts(table, (id, key) => {
    if (handles_guests) key === 'select' ? selection.toggle(id) : bulk.ask(key, [id]);
  });

  return (
    <>
      <PageHeader
        title={t('reservations')}
        description={t('one_for_each_guests_stay_what_was')}
        actions={
          <>
            <MonthCsvExportButton first="reservations" />
            {manages ? (
              <LinkButton variant="secondary" href={paths.import_reservations}>
                <Upload aria-hidden />
                {t('import')}
              </LinkButton>
            ) : null}
            {handles_guests ? (
              <LinkButton href={paths.new_reservation}>
                <Plus aria-hidden />
                {t('new_reservation')}
              </LinkButton>
            ) : null}
          </>
        }
      />
      <Card>
        <ReservationFilterBar
          filters={filters}
          list={list}
          views={<LazySavedViews query={formatReservationFilters({ ...filters, q: undefined })} />}
        />
        {reservations.error && !reservations.data ? (
          <ListError error={reservations.error} onRetry={() => void reservations.refetch()} onClear={list.clear} />
        ) : (
          <div ref={table}>
            <DataTable
              label={t('reservations')}
              columns={columns}
              data={rows}
              stale={reservations.isPlaceholderData}
              href={(row) => paths.reservation(row.id)}
              card={card}
              empty={<Empty filters={filters} onClear={list.clear} />}
              choosing={handles_guests ? { ...selection, name: (row) => row.guest_name } : undefined}
              sorting={{ columns: Object.keys(SORTABLE), by, descending, onSort: sort }}
            />
            {rows && (rows.length > 0 || newer) ? (
              <CursorPagination
                summary={t('on_this_page', { count: rows.length })}
                labels={by === 'created' && descending ? undefined : [t('previous'), t('next')]}
                onNewer={newer && (() => turn(newer))}
                onOlder={older && (() => turn(older))}
              />
            ) : null}
          </div>
        )}
      </Card>
      {bulk.shown}
      {search.has('new') && handles_guests ? (
        <CreateReservationDialog onClose={() => list.type({})} onCreated={(id) => router.push(paths.reservation(id))} />
      ) : null}
    </>
  );
}

function Empty({ filters, onClear }: { filters: ReservationFilters; onClear: () => void }) {
  const t = useTranslations('reservations');
  const { manages } = usePermissions();
  if (countSetReservationFilters(filters) > 0 || filters.q) {
    return (
      <EmptyState
        icon={SearchX}
        title={filters.q ? t('nothing_found_for_q', { q: filters.q }) : t('no_reservation_fits_these_filters')}
        action={
          <Button variant="secondary" onClick={onClear}>
            {t('clear_the_filters')}
          </Button>
        }
      >
        {filters.q ? t('the_search_looks_at_how_words_begin') : t('widen_the_dates_or_look_at_another')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={NotebookPen}
      title={t('no_reservations_yet')}
      action={
        manages ? (
          <>
            <LinkButton variant="secondary" href={paths.import_reservations}>
              {t('import_a_file')}
            </LinkButton>
            <LinkButton variant="secondary" href={paths.calendars}>
              {t('connect_a_calendar')}
            </LinkButton>
          </>
        ) : undefined
      }
    >
      {t.rich('create_one_here', {
        operation: () => <code className="font-mono text-xs">POST /v1/reservations</code>,
      })}
    </EmptyState>
  );
}

function ListError({ error, onRetry, onClear }: { error: unknown; onRetry: () => void; onClear: () => void }) {
  const t = useTranslations('reservations');
  const { code, message, request_id } = toDisplayableError(error);
  // The reservation whose id is the cursor may have been deleted.
  const stale_cursor = code === 'invalid_cursor';
  return (
    <ErrorPanel
      title={t('the_reservations_could_not_be_loaded')}
      message={stale_cursor ? t('the_page_you_were_on_is_no') : message}
      requestId={request_id}
      onRetry={stale_cursor ? onClear : onRetry}
    />
  );
}
