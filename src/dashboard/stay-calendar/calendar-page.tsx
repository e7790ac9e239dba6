'use client';
import { useQuery } from '@tanstack/react-query';
import { CalendarRange, ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, House } from 'lucide-react';
import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { QueryErrorPanel } from '../query-error';
import { toDisplayableError } from '../read-error';
import { usePermissions } from '../shell/me';
import { useTRPC } from '../trpc';
import type { StayCalendarStay } from '../types';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { Input } from '../ui/form/input';
import { Select } from '../ui/form/select';
import { lazyComponent } from '../ui/lazy-component';
import { LinkButton } from '../ui/link-button';
import { PageHeader } from '../ui/page-header';
import { Skeleton } from '../ui/skeleton';
import { convertDateToEpochDay, type StayCalendarView } from './geometry';
import { CalendarLegend, useDayFormatters } from './stay-styles';
import { StayTimeline, type TimelineHandle } from './timeline';
import { useStayCalendarView } from './use-view';

const LazyAgenda = lazyComponent(() => import('./agenda').then((file) => file.StayAgenda));
const StayPanel = lazyComponent(() => import('./stay-panel'));

const WIDE = '(min-width: 768px)';
const watchWidth = (changed: () => void) => {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};
/** Returns whether the window is wide. Returns null on the server, where the width is unknown. */
const useWide = () =>
  useSyncExternalStore(
    watchWidth,
    () => window.matchMedia(WIDE).matches,
    () => null,
  );

const VIEW_NAMES = ['weeks', 'month', 'quarter'] as const satisfies readonly StayCalendarView[];

interface State {
  pending: boolean;
  error: unknown;
  has_more: boolean;
  retry: () => void;
  from: string;
}

/** The calendar of the stays of all properties, with missing signatures and double bookings. */
export function StayCalendarPage() {
  const t = useTranslations('stay_calendar');
  const named = useDayFormatters();
  const { handles_guests } = usePermissions();
  const trpc = useTRPC();
  const properties = useQuery(trpc.stay_calendar.properties.queryOptions(undefined, { staleTime: 60_000 }));
  const wide = useWide();
  const [view, setView] = useStayCalendarView();
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<StayCalendarStay | null>(null);
  const [state, setState] = useState<State | null>(null);
  const handle = useRef<TimelineHandle>(null);
  const all = properties.data?.data;
  const shown = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    return (all ?? []).filter(({ name, city }) => `${name} ${city ?? ''}`.toLowerCase().includes(wanted));
  }, [all, search]);
  const onState = useCallback((next: State) => setState(next), []);
  const Picture = wide ? StayTimeline : LazyAgenda;
  return (
    <div data-wide>
      <PageHeader
        title={t('calendar')}
        description={t('who_stays_where_and_who_has_signed')}
        actions={handles_guests ? <LinkButton href={paths.new_reservation}>{t('new_reservation')}</LinkButton> : null}
      />
      <Card aria-busy={!all || state?.pending}>
        <div className="grid gap-3 border-b px-4 py-3">
          <div className="flex flex-wrap items-center gap-2">
            <Button variant="secondary" onClick={() => handle.current?.today()}>
              {t('today')}
            </Button>
            <fieldset className="flex gap-1">
              <legend className="sr-only">{t('move')}</legend>
              <Move label={t('a_month_back')} icon={ChevronsLeft} onMove={() => handle.current?.months(-1)} />
              <Move label={t('a_week_back')} icon={ChevronLeft} onMove={() => handle.current?.weeks(-1)} />
              <Move label={t('a_week_on')} icon={ChevronRight} onMove={() => handle.current?.weeks(1)} />
              <Move label={t('a_month_on')} icon={ChevronsRight} onMove={() => handle.current?.months(1)} />
            </fieldset>
            <p aria-live="polite" className="min-w-36 font-medium text-sm">
              {state ? named.month(convertDateToEpochDay(state.from)) : null}
            </p>
            <div className="flex w-full gap-2 md:ml-auto md:w-auto">
              <Input
                type="search"
                aria-label={t('filter_properties')}
                placeholder={t('property_or_city')}
                autoComplete="off"
                value={search}
                onChange={(event) => setSearch(event.target.value)}
                className="md:w-56"
              />
              {wide ? (
                <Select
                  aria-label={t('how_much_is_shown')}
                  className="w-40!"
                  value={view}
                  onValueChange={(next) => setView(next as StayCalendarView)}
                  options={VIEW_NAMES.map((value) => ({ value, label: t(`view_${value}`) }))}
                />
              ) : null}
            </div>
          </div>
          <CalendarLegend />
          {state?.error ? (
            <p role="alert" className="flex flex-wrap items-center gap-3 text-danger text-sm">
              {t('some_days_not_loaded')} {toDisplayableError(state.error).message}
              <Button variant="secondary" size="sm" onClick={state.retry}>
                {t('try_again')}
              </Button>
            </p>
          ) : null}
          {state?.has_more ? (
            <p role="status" className="text-sm text-warning">
              {t('there_are_more_stays_in_these_days')}
            </p>
          ) : null}
        </div>
        {properties.error && !all ? (
          <QueryErrorPanel title={t('the_calendar_could_not_be_loaded')} query={properties} />
        ) : !all || wide === null ? (
          <div className="grid gap-4 px-4 py-5">
            {Array.from({ length: 8 }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no id.
              <Skeleton key={row} className="h-7" />
            ))}
          </div>
        ) : shown.length === 0 ? (
          <Nothing filtered={all.length > 0} onClear={() => setSearch('')} />
        ) : (
          <Picture properties={shown} view={view} onOpen={setOpen} onState={onState} handle={handle} />
        )}
      </Card>
      {open ? (
        <StayPanel
          stay={open}
          property={all?.find(({ id }) => id === open.property_id)}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </div>
  );
}

function Move({ label, icon: Icon, onMove }: { label: string; icon: typeof ChevronLeft; onMove: () => void }) {
  return (
    <Button variant="secondary" size="icon" aria-label={label} title={label} onClick={onMove}>
      <Icon aria-hidden />
    </Button>
  );
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const t = useTranslations('stay_calendar');
  return filtered ? (
    <EmptyState
      icon={CalendarRange}
      title={t('no_property_by_that_name')}
      action={
        <Button variant="secondary" onClick={onClear}>
          {t('show_all_properties')}
        </Button>
      }
    />
  ) : (
    <EmptyState
      icon={House}
      title={t('no_properties_yet')}
      action={<LinkButton href={paths.properties}>{t('make_the_first_property')}</LinkButton>}
    >
      {t('each_property_becomes_a_row_here_with')}
    </EmptyState>
  );
}
