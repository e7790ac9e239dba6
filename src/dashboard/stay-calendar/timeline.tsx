'use client';
/**
 * The calendar as a grid of properties and days. Only the visible part is rendered. All rows have
 * the same height and all days the same width, so positions can be computed.
 */
import {
  memo,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import type { StayCalendarProperty, StayCalendarStay } from '../types';
import { cn } from '../ui/cn';
import { Link } from '../ui/link';
import { getIsoDateInTimeZone } from '../ui/zone';
import {
  computeDayWidth,
  convertDateToEpochDay,
  formatEpochDay,
  getMondayOnOrBefore,
  getMonthStart,
  getStayBarPosition,
  getVisibleIndexRange,
  type IndexRange,
  ROW_HEIGHT_PX,
  type StayCalendarView,
  type StayWithLane,
} from './geometry';
import { findNeighborStay } from './keyboard-navigation';
import {
  BLOCKED_NIGHTS_STYLE,
  DOUBLE_BOOKING_STAY_STYLE,
  GUEST_REPLIED_STYLE,
  getStayStyle,
  STAY_STYLES,
  useDayFormatters,
  useStayFormatters,
} from './stay-styles';
import { type PropertyStays, useVisibleStays } from './use-stays';

const HEAD = 52;
/** The rendered range changes in steps, so that scrolling a few pixels does not cause a render. */
const ROW_STEP = 5;
const DAY_STEP = 7;
const PAST_DAYS = 366;
const DAYS = 3 * 366;

const NONE: readonly StayCalendarProperty[] = [];

/** Functions that the page's buttons call. */
export interface TimelineHandle {
  weeks: (count: number) => void;
  months: (count: number) => void;
  today: () => void;
}

interface TimelineProps {
  properties: readonly StayCalendarProperty[];
  view: StayCalendarView;
  onOpen: (stay: StayCalendarStay) => void;
  onState: (state: { pending: boolean; error: unknown; has_more: boolean; retry: () => void; from: string }) => void;
  handle: Ref<TimelineHandle>;
}

interface Sight {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Returns whether the same rows and days are rendered for both scroll positions. */
function isSame(a: Sight, b: Sight, width: number): boolean {
  const rows = ({ top, height }: Sight) => [
    Math.floor(top / ROW_HEIGHT_PX / ROW_STEP),
    Math.ceil((top + height) / ROW_HEIGHT_PX / ROW_STEP),
  ];
  const day = ({ left }: Sight) => Math.round(left / width);
  const sizes = a.width === b.width && a.height === b.height;
  return sizes && day(a) === day(b) && rows(a).every((row, edge) => row === rows(b)[edge]);
}

export function StayTimeline({ properties, view, onOpen, onState, handle }: TimelineProps) {
  const t = useTranslations('stay_calendar');
  const scroller = useRef<HTMLElement>(null);
  const today = convertDateToEpochDay(getIsoDateInTimeZone(new Date()));
  const origin = useMemo(() => getMondayOnOrBefore(today - PAST_DAYS), [today]);
  const [sight, setSight] = useState<Sight>({ left: 0, top: 0, width: 0, height: 0 });
  const side = sight.width >= 900 ? 208 : 144;
  const width = computeDayWidth(view, sight.width - side);
  const day_width = useRef(width);
  day_width.current = width;
  const rows = getVisibleIndexRange(sight.top, sight.height, ROW_HEIGHT_PX, properties.length, ROW_STEP);
  const near = getVisibleIndexRange(sight.left, sight.width - side, width, DAYS, DAY_STEP);
  const days = { from: origin + near.from, to: origin + near.to };
  // Until the initial scroll position is set, the visible part is a year in the past, so no stays
  // are loaded.
  const [placed, setPlaced] = useState(false);
  const seen = useVisibleStays(placed ? properties : NONE, rows, days);
  const [active, setActive] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);

  const look = useCallback(() => {
    const { current } = scroller;
    if (!current) return;
    const { scrollLeft: left, scrollTop: top, clientWidth, clientHeight } = current;
    const next = { left, top, width: clientWidth, height: clientHeight };
    setSight((known) => (isSame(known, next, day_width.current) ? known : next));
  }, []);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (!current) return;
    look();
    const watch = new ResizeObserver(look);
    watch.observe(current);
    return () => watch.disconnect();
  }, [look]);

  const goTo = useCallback(
    (day: number) => {
      const { current } = scroller;
      if (!current) return;
      current.scrollLeft = Math.max(0, (day - origin) * width);
      look();
    },
    [origin, width, look],
  );
  // The day at the left edge. It stays there when the width of a day changes. Initially it is
  // yesterday.
  const left_day = useRef(today - 1);
  const ready = sight.width > 0;
  useLayoutEffect(() => {
    if (!ready) return;
    goTo(left_day.current);
    setPlaced(true);
  }, [ready, goTo]);
  const first = origin + Math.round(sight.left / width);
  const month = formatEpochDay(getMonthStart(first));
  const onScroll = () => {
    if (scroller.current) left_day.current = origin + Math.round(scroller.current.scrollLeft / width);
    look();
  };
  useImperativeHandle(handle, () => {
    const go = (day: number) => {
      left_day.current = day;
      goTo(day);
    };
    return {
      weeks: (count) => go(left_day.current + 7 * count),
      months: (count) =>
        // From the middle of a month, going back one month goes to the first day of the same month.
        go(
          getMonthStart(
            left_day.current,
            count < 0 && getMonthStart(left_day.current) < left_day.current ? count + 1 : count,
          ),
        ),
      today: () => go(today - 1),
    };
  }, [goTo, today]);

  const { pending, error, has_more, refetch } = seen;
  useEffect(
    () => onState({ pending: pending || !placed, error, has_more, retry: refetch, from: month }),
    [onState, placed, pending, error, has_more, refetch, month],
  );

  const shown = properties.slice(rows.from, rows.to);
  const visible = (bar: StayWithLane<StayCalendarStay>) => bar.to >= days.from && bar.from < days.to;
  const bars = shown.flatMap(({ id }) => seen.rows.get(id)?.bars.filter(visible) ?? []);
  // The grid has a single tab stop: the last active bar, otherwise the first visible bar.
  const stop = bars.some(({ stay }) => stay.id === active) ? active : (bars[0]?.stay.id ?? null);

  /** Scrolls a bar into view and focuses it once it is rendered. */
  const focus = (row: number, bar: StayWithLane<StayCalendarStay>) => {
    const { current } = scroller;
    if (!current) return;
    const top = row * ROW_HEIGHT_PX;
    if (top < current.scrollTop) current.scrollTop = top;
    else if (top + ROW_HEIGHT_PX + HEAD > current.scrollTop + current.clientHeight)
      current.scrollTop = top + ROW_HEIGHT_PX + HEAD - current.clientHeight;
    const left = (bar.from - origin) * width;
    const room = current.clientWidth - side;
    if (left < current.scrollLeft || left + width > current.scrollLeft + room)
      current.scrollLeft = Math.max(0, left - room / 3);
    wanted.current = bar.stay.id;
    setActive(bar.stay.id);
    look();
  };
  useEffect(() => {
    const button = wanted.current && scroller.current?.querySelector<HTMLElement>(`[data-stay="${wanted.current}"]`);
    if (!button) return;
    wanted.current = null;
    button.focus({ preventScroll: true });
  });

  return (
    <section
      ref={scroller}
      aria-label={t('stays_by_property_and_day')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: users must be able to scroll with the keyboard.
      tabIndex={0}
      onScroll={onScroll}
      onKeyDown={(event) => {
        const id = (event.target as HTMLElement).dataset.stay;
        if (!id) return;
        const next = findNeighborStay(event.key, id, properties, seen.rows);
        if (next === undefined) return;
        event.preventDefault();
        if (next) focus(next.row, next.bar);
      }}
      className="relative max-h-[max(22rem,calc(100dvh-19rem))] overflow-auto rounded-b-xl bg-surface"
    >
      <div
        className="relative"
        style={{ width: side + DAYS * width, height: HEAD + properties.length * ROW_HEIGHT_PX }}
      >
        <DayHead origin={origin} days={days} width={width} side={side} today={today} />
        <div
          aria-hidden
          className="absolute bottom-0"
          style={{
            top: HEAD,
            left: side,
            right: 0,
            // Draws lines between days and shades weekends. The first day is a Monday.
            backgroundImage: `${width >= 20 ? `repeating-linear-gradient(to right, var(--line) 0 1px, transparent 1px ${width}px),` : ''} repeating-linear-gradient(to right, transparent 0 ${5 * width}px, var(--muted) ${5 * width}px ${7 * width}px)`,
          }}
        />
        <ul aria-label={t('properties')}>
          {shown.map((property, index) => (
            <PropertyRow
              key={property.id}
              property={property}
              index={rows.from + index}
              count={properties.length}
              stays={seen.rows.get(property.id)}
              from={days.from}
              to={days.to}
              origin={origin}
              width={width}
              side={side}
              stop={seen.rows.get(property.id)?.bars.some(({ stay }) => stay.id === stop) ? stop : null}
              onOpen={onOpen}
              onFocus={setActive}
            />
          ))}
        </ul>
      </div>
    </section>
  );
}

interface DayHeadProps {
  origin: number;
  days: IndexRange;
  width: number;
  side: number;
  today: number;
}

const DayHead = memo(function DayHead({ origin, days: { from, to }, width, side, today }: DayHeadProps) {
  const say = useDayFormatters();
  const t = useTranslations('stay_calendar');
  const months: number[] = [];
  for (let month = getMonthStart(from); month < to; month = getMonthStart(month, 1)) months.push(month);
  const shown = Array.from({ length: to - from }, (_, index) => from + index);
  // When days are too narrow for a number, only Mondays are labelled.
  const named = width >= 20 ? shown : shown.filter((day) => getMondayOnOrBefore(day) === day);
  return (
    // Hidden from screen readers, because the accessible name of each stay contains its dates.
    <div aria-hidden className="sticky top-0 z-20 border-b bg-surface text-xs" style={{ height: HEAD }}>
      <div
        className="sticky left-0 z-20 flex h-full items-end border-r bg-surface px-3 pb-1.5 text-ink-soft"
        style={{ width: side }}
      >
        {t('property')}
      </div>
      <div className="absolute inset-y-0 right-0 overflow-clip" style={{ left: side }}>
        {months.map((month) => (
          <div
            key={month}
            className="absolute top-0 h-6 border-l"
            style={{ left: (month - origin) * width, width: (getMonthStart(month, 1) - month) * width }}
          >
            <span className="sticky inline-block px-2 pt-1 font-medium" style={{ left: side }}>
              {say.month(month)}
            </span>
          </div>
        ))}
        {named.map((day) => (
          <div
            key={day}
            className={cn(
              'absolute bottom-0 grid h-7 place-items-center tabular-nums leading-none',
              day === today ? 'font-semibold text-primary' : 'text-ink-soft',
            )}
            style={{ left: (day - origin) * width, width: width >= 20 ? width : 7 * width }}
          >
            <span className={cn('rounded-full px-1.5 py-1', day === today && 'bg-primary text-on-primary')}>
              {width >= 40 ? `${say.weekday(day)} ` : null}
              {Number(formatEpochDay(day).slice(8))}
            </span>
          </div>
        ))}
      </div>
    </div>
  );
});

interface PropertyRowProps extends IndexRange {
  property: StayCalendarProperty;
  index: number;
  count: number;
  /** The property's stays. Undefined while loading, and for a property without stays. */
  stays: PropertyStays | undefined;
  origin: number;
  width: number;
  side: number;
  stop: string | null;
  onOpen: (stay: StayCalendarStay) => void;
  onFocus: (id: string) => void;
}

const PropertyRow = memo(function PropertyRow(props: PropertyRowProps) {
  const words = useStayFormatters();
  const t = useTranslations('stay_calendar');
  const { property, index, count, stays, from, to, origin, width, side, stop, onOpen, onFocus } = props;
  const visible = (nights: { from: number; to: number }) => nights.to >= from && nights.from < to;
  // The current day in the property's time zone.
  const today = convertDateToEpochDay(getIsoDateInTimeZone(new Date(), property.timezone));
  const left = (day: number) => side + (day - origin) * width;
  const blocks = (stays?.blocks ?? [])
    .map((block) => ({
      block,
      from: convertDateToEpochDay(block.checkin_date),
      to: convertDateToEpochDay(block.checkout_date),
    }))
    .filter(visible);
  return (
    <li
      aria-setsize={count}
      aria-posinset={index + 1}
      className="absolute inset-x-0 border-b"
      style={{ top: HEAD + index * ROW_HEIGHT_PX, height: ROW_HEIGHT_PX }}
    >
      {visible({ from: today, to: today + 1 }) ? (
        <span
          aria-hidden
          className="absolute inset-y-0 border-primary border-l-2 bg-primary/8"
          style={{ left: left(today), width }}
        />
      ) : null}
      <div
        className="sticky left-0 z-10 flex h-full flex-col justify-center border-r bg-surface px-3"
        style={{ width: side }}
      >
        <Link href={paths.property(property.id)} className="truncate font-medium text-sm hover:underline">
          {property.name}
        </Link>
        {stays && stays.hidden > 0 ? (
          <Link
            href={`${paths.reservations}?property=${property.id}&sort=checkin`}
            className="truncate text-ink-soft text-xs underline underline-offset-2"
          >
            {t('hidden_more_in_the_list', { hidden: stays.hidden })}
          </Link>
        ) : property.city ? (
          <span className="truncate text-ink-soft text-xs">{property.city}</span>
        ) : null}
      </div>
      {blocks.length > 0 || stays ? (
        <ul aria-label={t('stays_at_property', { property: property.name })}>
          {blocks.map(({ block, ...nights }) => (
            <li
              key={`${block.sync_source_id} ${block.checkin_date} ${block.checkout_date}`}
              className="absolute inset-y-0.5"
              style={{ left: left(nights.from) + width / 2, width: (nights.to - nights.from) * width }}
            >
              <Link
                href={paths.calendar(block.sync_source_id)}
                tabIndex={-1}
                title={`${t('look_blocked')}: ${block.words || t('no_words')}, ${words.nights(block)}`}
                className={cn(
                  'flex h-full items-end overflow-clip rounded-sm border px-1 text-xs',
                  BLOCKED_NIGHTS_STYLE.className,
                )}
              >
                <span className="sr-only">
                  {t('look_blocked')}, {words.nights(block)}:
                </span>
                <span className="truncate rounded-sm bg-surface/85 px-1 leading-4">{block.words || t('blocked')}</span>
              </Link>
            </li>
          ))}
          {(stays?.bars ?? []).filter(visible).map((bar) => (
            <Bar
              key={bar.stay.id}
              bar={bar}
              left={left(bar.from) + width / 2}
              width={(bar.to - bar.from) * width}
              side={side}
              stop={bar.stay.id === stop}
              onOpen={onOpen}
              onFocus={onFocus}
            />
          ))}
        </ul>
      ) : null}
    </li>
  );
});

interface BarProps {
  bar: StayWithLane<StayCalendarStay>;
  left: number;
  width: number;
  side: number;
  stop: boolean;
  onOpen: (stay: StayCalendarStay) => void;
  onFocus: (id: string) => void;
}

/**
 * A stay's bar. It reaches from the middle of the check-in day to the middle of the check-out day,
 * so that the next stay fits on the same day.
 */
function Bar({ bar: { stay, lane, lanes }, left, width, side, stop, onOpen, onFocus }: BarProps) {
  const look = STAY_STYLES[getStayStyle(stay)];
  const Icon = stay.conflict
    ? DOUBLE_BOOKING_STAY_STYLE.icon
    : stay.guest_replied
      ? GUEST_REPLIED_STYLE.icon
      : look.icon;
  const box = getStayBarPosition({ lane, lanes });
  const words = useStayFormatters().stay(stay);
  return (
    <li className="absolute" style={{ left, width: width - 1, ...box }}>
      <button
        type="button"
        data-stay={stay.id}
        tabIndex={stop ? 0 : -1}
        aria-label={words}
        title={words}
        onClick={() => onOpen(stay)}
        onFocus={() => onFocus(stay.id)}
        className={cn(
          'flex size-full items-center overflow-clip rounded-md border text-left hover:brightness-95 focus-visible:z-10',
          box.height >= 24 ? 'text-xs' : 'text-xs leading-none',
          look.className,
          stay.conflict && 'outline-2 outline-danger -outline-offset-2',
        )}
      >
        {/* The name stays visible when the beginning of the bar is scrolled out of view. */}
        <span className="sticky inline-flex min-w-0 max-w-full items-center gap-1 px-1" style={{ left: side }}>
          <Icon aria-hidden className={cn('size-3 shrink-0', stay.conflict && 'text-danger')} />
          {width >= 44 ? <span className="truncate font-medium">{stay.guest_name}</span> : null}
        </span>
      </button>
    </li>
  );
}
