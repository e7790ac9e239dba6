'use client';
/**
 * The calendar as a list of days, for phones. Each day shows who arrives, who leaves, and how many
 * stay.
 */
import { DoorClosed, DoorOpen } from 'lucide-react';
import { type Ref, useEffect, useImperativeHandle, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { StayCalendarProperty, StayCalendarStay } from '../types';
import { Badge } from '../ui/badge';
import { EmptyState } from '../ui/empty-state';
import { Skeleton } from '../ui/skeleton';
import { getIsoDateInTimeZone } from '../ui/zone';
import { buildAgenda, type StayArrivalOrDeparture } from './agenda-days';
import { convertDateToEpochDay, formatEpochDay, getMonthStart } from './geometry';
import { getStayStyle, STAY_STYLES, useDayFormatters, useStayFormatters } from './stay-styles';
import type { TimelineHandle } from './timeline';
import { useVisibleStays } from './use-stays';

const DAYS = 7;

interface AgendaProps {
  properties: readonly StayCalendarProperty[];
  onOpen: (stay: StayCalendarStay) => void;
  onState: (state: { pending: boolean; error: unknown; has_more: boolean; retry: () => void; from: string }) => void;
  handle: Ref<TimelineHandle>;
}

export function StayAgenda({ properties, onOpen, onState, handle }: AgendaProps) {
  const t = useTranslations('stay_calendar');
  const named = useDayFormatters();
  const today = convertDateToEpochDay(getIsoDateInTimeZone(new Date()));
  const [from, setFrom] = useState(today);
  const { rows, pending, error, has_more, refetch } = useVisibleStays(
    properties,
    { from: 0, to: properties.length },
    { from, to: from + DAYS },
  );
  useImperativeHandle(
    handle,
    () => ({
      weeks: (count) => setFrom((day) => day + DAYS * count),
      months: (count) => setFrom((day) => getMonthStart(day, count)),
      today: () => setFrom(today),
    }),
    [today],
  );
  useEffect(
    () => onState({ pending, error, has_more, retry: refetch, from: formatEpochDay(from) }),
    [onState, pending, error, has_more, refetch, from],
  );
  const days = useMemo(() => buildAgenda(properties, rows, from, DAYS), [properties, rows, from]);
  if (pending) {
    return (
      <div className="grid gap-4 px-4 py-4" aria-busy="true">
        {['w-2/5', 'w-3/5', 'w-1/2', 'w-2/5', 'w-3/5'].map((width, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no id.
          <Skeleton key={at} className={`h-9 ${width}`} />
        ))}
      </div>
    );
  }
  if (days.every(({ movements, staying }) => movements.length === 0 && staying === 0)) {
    return <EmptyState icon={DoorOpen} title={t('nobody_stays_in_these_seven_days')} />;
  }
  return (
    <div>
      {days.map(({ day, movements, staying, blocked }) => (
        <section key={day} aria-labelledby={`day-${day}`} className="border-t first:border-t-0">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3 bg-muted/50 px-4 py-2">
            <h2 id={`day-${day}`} className="font-semibold text-sm">
              {day === today ? `${t('today')}, ` : day === today + 1 ? `${t('tomorrow')}, ` : ''}
              {named.day(day)}
            </h2>
            <span className="text-ink-soft text-xs">
              {t('stay_the_night', { staying })}
              {blocked > 0 ? `, ${t('count_blocked', { blocked })}` : ''}
            </span>
          </div>
          {movements.length > 0 ? (
            <ul className="divide-y divide-line">
              {movements.map((movement) => (
                <MovementRow key={`${movement.way} ${movement.stay.id}`} movement={movement} onOpen={onOpen} />
              ))}
            </ul>
          ) : (
            <p className="px-4 py-2.5 text-ink-soft text-sm">{t('nobody_comes_or_goes')}</p>
          )}
        </section>
      ))}
    </div>
  );
}

function MovementRow({
  movement: { way, stay, property },
  onOpen,
}: {
  movement: StayArrivalOrDeparture;
  onOpen: AgendaProps['onOpen'];
}) {
  const t = useTranslations('stay_calendar');
  const name = getStayStyle(stay);
  const look = STAY_STYLES[name];
  const words = useStayFormatters();
  const Way = way === 'arrives' ? DoorOpen : DoorClosed;
  return (
    <li>
      <button
        type="button"
        onClick={() => onOpen(stay)}
        className="flex min-h-12 w-full items-center gap-3 px-4 py-2 text-left text-sm hover:bg-muted/60"
      >
        <Way aria-hidden className="size-4 shrink-0 text-ink-soft" />
        <span className="grid min-w-0 flex-1">
          <span className="truncate font-medium">{stay.guest_name}</span>
          <span className="truncate text-ink-soft text-xs">
            {way === 'arrives' ? t('arrives') : t('leaves')}, <bdi>{property}</bdi>, {words.nights(stay)}
          </span>
        </span>
        <span className="grid justify-items-end gap-1">
          {way === 'arrives' ? (
            <span
              className={`inline-flex items-center gap-1 rounded-md border px-1.5 py-0.5 text-xs ${look.className}`}
            >
              <look.icon aria-hidden className="size-3" />
              {t(`look_${name}`)}
            </span>
          ) : null}
          {stay.conflict ? <Badge tone="danger">{t('look_conflict')}</Badge> : null}
          {stay.guest_replied ? <Badge tone="violet">{t('look_replied')}</Badge> : null}
        </span>
      </button>
    </li>
  );
}
