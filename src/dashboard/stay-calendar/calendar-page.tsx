'use client';
import { CalendarRange, ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight, House } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { paths } from '../paths';
import { readError } from '../read-error';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { ErrorPanel } from '../ui/error-panel';
import { Input } from '../ui/form/input';
import { Select } from '../ui/form/select';
import { Link } from '../ui/link';
import { PageHeader } from '../ui/page-header';
import { Skeleton } from '../ui/skeleton';
import { dayNumber, type View } from './geometry';
import { Legend } from './looks';
import { type CalendarStay, useCalendarProperties } from './queries';
import { Timeline, type TimelineHandle } from './timeline';
import { useView } from './use-view';

const Agenda = dynamic(() => import('./agenda').then(({ Agenda }) => Agenda), { ssr: false });
const StayPanel = dynamic(() => import('./stay-panel'), { ssr: false });

const WIDE = '(min-width: 768px)';
const watchWidth = (changed: () => void) => {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};
/** Null on the server, which does not know. */
const useWide = () =>
  useSyncExternalStore(
    watchWidth,
    () => window.matchMedia(WIDE).matches,
    () => null,
  );

const VIEW_OPTIONS: { value: View; label: string }[] = [
  { value: 'weeks', label: 'Two weeks' },
  { value: 'month', label: 'A month' },
  { value: 'quarter', label: 'Three months' },
];
const month_name = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

interface State {
  pending: boolean;
  error: unknown;
  has_more: boolean;
  retry: () => void;
  from: string;
}

/** Every stay of every property: what is signed, what is not, what is twice. */
export function CalendarPage() {
  const properties = useCalendarProperties();
  const wide = useWide();
  const [view, setView] = useView();
  const [search, setSearch] = useState('');
  const [open, setOpen] = useState<CalendarStay | null>(null);
  const [state, setState] = useState<State | null>(null);
  const handle = useRef<TimelineHandle>(null);
  const all = properties.data?.data;
  const shown = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    return (all ?? []).filter(({ name, city }) => `${name} ${city ?? ''}`.toLowerCase().includes(wanted));
  }, [all, search]);
  const onState = useCallback((next: State) => setState(next), []);
  const Picture = wide ? Timeline : Agenda;
  return (
    <div data-wide>
      <PageHeader
        title="Calendar"
        description="Who stays where, and who has signed. Each property’s days are those of its own calendar."
        actions={
          <Button asChild>
            <Link href={paths.new_reservation}>New reservation</Link>
          </Button>
        }
      />
      <Card aria-busy={!all || state?.pending}>
        <div className="grid gap-3 border-b px-4 py-3">
          <div className="flex flex-wrap items-center gap-2">
            <Button variant="secondary" onClick={() => handle.current?.today()}>
              Today
            </Button>
            <fieldset className="flex gap-1">
              <legend className="sr-only">Move</legend>
              <Move label="A month back" icon={ChevronsLeft} onMove={() => handle.current?.months(-1)} />
              <Move label="A week back" icon={ChevronLeft} onMove={() => handle.current?.weeks(-1)} />
              <Move label="A week on" icon={ChevronRight} onMove={() => handle.current?.weeks(1)} />
              <Move label="A month on" icon={ChevronsRight} onMove={() => handle.current?.months(1)} />
            </fieldset>
            <p aria-live="polite" className="min-w-36 font-medium text-sm">
              {state ? month_name.format(dayNumber(state.from) * 86_400_000) : null}
            </p>
            <div className="flex w-full gap-2 md:ml-auto md:w-auto">
              <Input
                type="search"
                aria-label="Filter properties"
                placeholder="Property or city"
                autoComplete="off"
                value={search}
                onChange={(event) => setSearch(event.target.value)}
                className="md:w-56"
              />
              {wide ? (
                <Select
                  aria-label="How much is shown"
                  className="w-40"
                  value={view}
                  onValueChange={(next) => setView(next as View)}
                  options={VIEW_OPTIONS}
                />
              ) : null}
            </div>
          </div>
          <Legend />
          {state?.error ? (
            <p role="alert" className="flex flex-wrap items-center gap-3 text-danger text-sm">
              Some of these days could not be loaded. {readError(state.error).message}
              <Button variant="secondary" size="sm" onClick={state.retry}>
                Try again
              </Button>
            </p>
          ) : null}
          {state?.has_more ? (
            <p role="status" className="text-sm text-warning">
              There are more stays in these days than the calendar shows. Filter the properties to see them all.
            </p>
          ) : null}
        </div>
        {properties.error && !all ? (
          <ErrorPanel
            title="The calendar could not be loaded"
            message={readError(properties.error).message}
            requestId={readError(properties.error).request_id}
            onRetry={() => void properties.refetch()}
          />
        ) : !all || wide === null ? (
          <div className="grid gap-4 px-4 py-5">
            {Array.from({ length: 8 }, (_, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else to be told apart by.
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
  return filtered ? (
    <EmptyState
      icon={CalendarRange}
      title="No property by that name"
      action={
        <Button variant="secondary" onClick={onClear}>
          Show all properties
        </Button>
      }
    />
  ) : (
    <EmptyState
      icon={House}
      title="No properties yet"
      action={
        <Button asChild>
          <Link href={paths.properties}>Make the first property</Link>
        </Button>
      }
    >
      Each property becomes a row here, with its stays from left to right.
    </EmptyState>
  );
}
