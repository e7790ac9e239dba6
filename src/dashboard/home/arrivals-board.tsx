'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CalendarClock, DoorOpen, Link2, Mail, RotateCw, Send } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { buildArrivalListInput, PROPERTIES_INPUT } from '../initial-queries';
import { SelectFilter } from '../list/filter-bar';
import { useListUrl } from '../list/list-url';
import { useRowShortcuts } from '../list/row-keys';
import { type RowSelectionState, useRowSelection } from '../list/use-selection';
import { paths } from '../paths';
import { QueryErrorPanel } from '../query-error';
import { useViewerClock } from '../reader';
import { AttentionBadges } from '../reservations/badges';
import { useBulkActionMenu } from '../reservations/bulk/use-bulk';
import { getMissingGuestLinkReason, useCopyGuestLink } from '../reservations/copy-link';
import { formatReservationFilters, formatStatusFilter, parseStatusFilter } from '../reservations/list/filters';
import { StatusSelect } from '../reservations/list/status-select';
import { LazySavedViews } from '../reservations/list/views';
import { describeReservationProgress, isReservationUnsent, isReservationUnsigned } from '../reservations/status-words';
import { usePermissions } from '../shell/me';
import { useTRPC } from '../trpc';
import type { ListedReservation } from '../types';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';
import { CalendarDay } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Link } from '../ui/link';
import { useFormatTimeSince } from '../ui/since';
import { Skeleton } from '../ui/skeleton';
import { addCalendarDays, getIsoDateInTimeZone } from '../ui/zone';
import {
  ARRIVAL_FILTER_NAMES,
  groupArrivalsByPeriod,
  type PeriodUntilArrival,
  parseArrivalDaysFilter,
} from './arrivals';

/** The number of arrivals that each group shows at first. */
const FIRST = 10;

/** Returns the arrivals that the page's URL selects. */
export function useFilteredArrivingReservations() {
  const { zone, now } = useViewerClock();
  const trpc = useTRPC();
  const list = useListUrl(ARRIVAL_FILTER_NAMES);
  const { property } = list.values;
  const status = parseStatusFilter(list.values.status);
  const days = parseArrivalDaysFilter(list.values.days);
  const arrivals = useQuery(
    trpc.reservations.list.queryOptions(
      buildArrivalListInput({ status, property, days }, getIsoDateInTimeZone(now(), zone)),
      {
        refetchInterval: 60_000,
        placeholderData: keepPreviousData,
      },
    ),
  );
  return { list, status, property, days, arrivals };
}

/** Lists the coming arrivals. Each has its status and its actions. */
export function ArrivalsBoard() {
  const t = useTranslations('home');
  const { zone, now } = useViewerClock();
  const trpc = useTRPC();
  const { list, status, property, days, arrivals } = useFilteredArrivingReservations();
  const { handles_guests } = usePermissions();
  const properties = useQuery(trpc.properties.list.queryOptions(PROPERTIES_INPUT));
  const rows = arrivals.data?.data;
  const groups = useMemo(() => groupArrivalsByPeriod(rows ?? [], now(), days), [rows, now, days]);
  const coming = useMemo(() => groups.flatMap((group) => group.rows), [groups]);
  const selection = useRowSelection(coming);
  const bulk = useBulkActionMenu(selection);
  const board = useRef<HTMLDivElement>(null);
  useRowShortcuts(board, (id, key) => {
    if (handles_guests) key === 'select' ? selection.toggle(id) : bulk.ask(key, [id]);
  });
  const today = getIsoDateInTimeZone(now(), zone);
  const shown_days = days ? { from: today, to: addCalendarDays(today, days - 1) } : ({ arrives: 'month' } as const);
  const query = formatReservationFilters({ status, property, ...shown_days, sort: 'checkin' });
  const filtered = status !== undefined || property !== undefined || days !== undefined;
  const unsigned = handles_guests ? coming.filter(isReservationUnsigned) : [];
  return (
    <>
      <Card aria-busy={!rows && !arrivals.error}>
        <CardHeader
          title={t('arrivals')}
          description={
            <span className="hidden sm:inline">
              {t(days ? 'the_next_days_each_on_its' : 'the_next_two_weeks_each_on_its', { days: days ?? 0 })}
            </span>
          }
          actions={
            <div className="flex items-center gap-3">
              <Link href={`${paths.reservations}?${query}`} className="text-sm underline underline-offset-4">
                {t('show_in_the_list')}
              </Link>
              <LazySavedViews query={query} />
            </div>
          }
        />
        <search
          aria-label={t('filter_arrivals')}
          hidden={rows?.length === 0 && !filtered}
          className="flex flex-wrap items-end gap-3 border-b px-5 py-3 [&[hidden]]:hidden"
        >
          <div className="grid w-[calc(50%-0.375rem)] gap-1 sm:w-40">
            <span aria-hidden className="text-ink-soft text-xs">
              {t('status')}
            </span>
            <StatusSelect
              values={status ?? []}
              onChange={(statuses) => list.set({ status: formatStatusFilter(statuses) || undefined })}
            />
          </div>
          <SelectFilter
            className="w-[calc(50%-0.375rem)]! sm:w-48!"
            label={t('property')}
            any={t('any_property')}
            value={property}
            options={(properties.data?.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(id) => list.set({ property: id })}
          />
          <Button
            variant="secondary"
            className="aria-pressed:border-primary aria-pressed:bg-tint aria-pressed:text-primary"
            aria-pressed={days !== undefined}
            onClick={() => list.set({ days: days ? undefined : '3' })}
          >
            <CalendarClock aria-hidden className="max-sm:hidden" />
            {t('next_3_days')}
          </Button>
          {unsigned.length > 0 ? (
            <Button
              className="sm:ml-auto"
              onClick={() =>
                bulk.ask(
                  'resend',
                  unsigned.map(({ id }) => id),
                )
              }
            >
              <Send aria-hidden />
              {t('nudge_unsigned', { count: unsigned.length })}
            </Button>
          ) : null}
        </search>
        {arrivals.error && !rows ? (
          <QueryErrorPanel title={t('the_arrivals_could_not_be_loaded')} query={arrivals} />
        ) : null}
        {!rows && !arrivals.error ? (
          <div className="grid gap-4 px-5 py-4">
            {['w-1/2', 'w-2/5', 'w-3/5', 'w-1/2', 'w-2/5'].map((width, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no id.
              <Skeleton key={at} className={`h-9 ${width}`} />
            ))}
          </div>
        ) : null}
        {rows && coming.length === 0 ? (
          <EmptyState
            icon={DoorOpen}
            title={filtered ? t('nobody_who_arrives_fits_these_filters') : t('nobody_arrives_in_the_next_two_weeks')}
            action={
              filtered ? (
                <Button variant="secondary" onClick={list.clear}>
                  {t('clear_the_filters')}
                </Button>
              ) : undefined
            }
          >
            {filtered ? null : t('reservations_appear_here_as_their_check_in')}
          </EmptyState>
        ) : null}
        <div ref={board}>
          {groups.map(({ when, rows: of_group }) =>
            of_group.length > 0 ? (
              <Group key={when} when={when} rows={of_group} selection={selection} onAsk={bulk.ask} />
            ) : null,
          )}
        </div>
        {arrivals.data?.has_more ? (
          <p className="border-t px-5 py-3 text-ink-soft text-sm">
            {t.rich('first_hundred', {
              link: (words) => (
                <Link href={`${paths.reservations}?${query}`} className="underline underline-offset-4">
                  {words}
                </Link>
              ),
            })}
          </p>
        ) : null}
      </Card>
      {bulk.shown}
    </>
  );
}

interface GroupProps {
  when: PeriodUntilArrival;
  rows: ListedReservation[];
  selection: RowSelectionState;
  onAsk: ReturnType<typeof useBulkActionMenu>['ask'];
}

function Group({ when, rows, selection, onAsk }: GroupProps) {
  const t = useTranslations('home');
  const { handles_guests } = usePermissions();
  const [all, setAll] = useState(false);
  const soon = when === 'today' || when === 'tomorrow';
  const shown = soon || all ? rows : rows.slice(0, FIRST);
  const unsigned = rows.filter(isReservationUnsigned);
  const label = t(`when_${when}`);
  const choose = t('choose_not_signed', { count: unsigned.length });
  return (
    <section aria-labelledby={`arrivals-${when}`} className="border-t first:border-t-0">
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 bg-muted/50 px-5 py-1.5">
        <h3 id={`arrivals-${when}`} className="font-semibold text-sm">
          {label}{' '}
          <span className="font-normal text-ink-soft">
            {t('arrive', { count: rows.length, unsigned: unsigned.length })}
          </span>
        </h3>
        {unsigned.length > 0 && handles_guests ? (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`${choose}: ${label}`}
            onClick={() => {
              setAll(true);
              selection.set(
                unsigned.map(({ id }) => id),
                true,
              );
            }}
          >
            {choose}
          </Button>
        ) : null}
      </div>
      <ul aria-label={label} className="divide-y divide-line">
        {shown.map((row) => (
          <ArrivalRow key={row.id} row={row} with_day={!soon} selection={selection} onAsk={onAsk} />
        ))}
      </ul>
      {shown.length < rows.length ? (
        <Button
          variant="ghost"
          size="sm"
          className="mx-3 my-1.5"
          aria-label={t('show_all_count_label', { count: rows.length, label })}
          onClick={() => setAll(true)}
        >
          {t('show_all_count', { count: rows.length })}
        </Button>
      ) : null}
    </section>
  );
}

interface ArrivalRowProps extends Pick<GroupProps, 'selection' | 'onAsk'> {
  row: ListedReservation;
  with_day: boolean;
}

function ArrivalRow({ row, with_day, selection, onAsk }: ArrivalRowProps) {
  const t = useTranslations('home');
  const { handles_guests } = usePermissions();
  const of_reservations = useTranslations('reservations');
  const ago = useFormatTimeSince();
  const copy = useCopyGuestLink();
  const unsigned = isReservationUnsigned(row);
  const unsent = isReservationUnsent(row);
  const no_link = getMissingGuestLinkReason(row, of_reservations);
  const mailing = row.guest_contact_missing ? t('nobody_knows_the_address_copy_the_link') : null;
  return (
    <li
      data-row={row.id}
      className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1 px-5 py-2 text-sm focus-within:bg-muted/60 hover:bg-muted/60 md:grid-cols-[auto_minmax(0,1fr)_minmax(0,1.2fr)_15rem]"
    >
      {handles_guests ? (
        <input
          type="checkbox"
          className="size-4 accent-primary"
          aria-label={t('choose_guest_name', { guest_name: row.guest_name })}
          checked={selection.chosen.has(row.id)}
          onChange={() => selection.toggle(row.id)}
        />
      ) : null}
      <div className="col-start-2 min-w-0">
        <Link href={paths.reservation(row.id)} className="block truncate font-medium hover:underline">
          {row.guest_name}
        </Link>
        <span className="block truncate text-ink-soft text-xs">
          {with_day ? (
            <>
              <CalendarDay value={row.checkin_date} /> ·{' '}
            </>
          ) : null}
          {row.property_name}
        </span>
      </div>
      <div className="col-start-2 flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 md:col-start-auto">
        <span className="inline-flex min-w-0 items-center gap-2">
          <span
            aria-hidden
            className={cn(
              'size-2 shrink-0 rounded-full',
              unsigned ? (unsent ? 'bg-danger' : 'bg-warning') : 'bg-success',
            )}
          />
          <span className={unsigned ? undefined : 'text-ink-soft'}>
            {describeReservationProgress(row, of_reservations, ago)}
          </span>
        </span>
        <AttentionBadges row={row} />
      </div>
      <div className="col-start-2 flex flex-wrap gap-1 md:col-start-auto md:justify-end">
        {unsigned && handles_guests ? (
          <Button
            variant="secondary"
            size="sm"
            aria-label={`${unsent ? t('send') : t('send_again')}: ${row.guest_name}`}
            disabledReason={mailing}
            onClick={() => onAsk(unsent ? 'send' : 'resend', [row.id])}
          >
            {unsent ? <Mail aria-hidden /> : <RotateCw aria-hidden />}
            {unsent ? t('send') : t('send_again')}
          </Button>
        ) : null}
        {handles_guests ? (
          <Button
            variant="ghost"
            size="sm"
            aria-label={t('copy_link_guest_name', { guest_name: row.guest_name })}
            disabledReason={no_link}
            pending={copy.isPending}
            onClick={() => copy.mutate(row)}
          >
            <Link2 aria-hidden />
            {t('copy_link')}
          </Button>
        ) : null}
      </div>
    </li>
  );
}
