'use client';
/** The same stays day by day, for a phone: who arrives, who leaves, and how many stay. */
import { DoorClosed, DoorOpen } from 'lucide-react';
import type { Ref } from 'react';
import { useEffect, useImperativeHandle, useMemo, useState } from 'react';
import { Badge } from '../ui/badge';
import { EmptyState } from '../ui/empty-state';
import { Skeleton } from '../ui/skeleton';
import { dayIn } from '../ui/zone';
import { agendaOf, type Movement } from './agenda-days';
import { dayNumber, dayText, monthStart } from './geometry';
import { CONFLICT, LOOKS, lookOf, nightsWords, REPLIED } from './looks';
import { type CalendarProperty, type CalendarStay, useStays } from './queries';
import type { TimelineHandle } from './timeline';

const DAYS = 7;

interface AgendaProps {
  properties: readonly CalendarProperty[];
  onOpen: (stay: CalendarStay) => void;
  onState: (state: { pending: boolean; error: unknown; has_more: boolean; retry: () => void; from: string }) => void;
  handle: Ref<TimelineHandle>;
}

const day_name = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'short', timeZone: 'UTC' });

export function Agenda({ properties, onOpen, onState, handle }: AgendaProps) {
  const today = dayNumber(dayIn(new Date()));
  const [from, setFrom] = useState(today);
  const { rows, pending, error, has_more, refetch } = useStays(
    properties,
    { from: 0, to: properties.length },
    { from, to: from + DAYS },
  );
  useImperativeHandle(
    handle,
    () => ({
      weeks: (count) => setFrom((day) => day + DAYS * count),
      months: (count) => setFrom((day) => monthStart(day, count)),
      today: () => setFrom(today),
    }),
    [today],
  );
  useEffect(
    () => onState({ pending, error, has_more, retry: refetch, from: dayText(from) }),
    [onState, pending, error, has_more, refetch, from],
  );
  const days = useMemo(() => agendaOf(properties, rows, from, DAYS), [properties, rows, from]);
  if (pending) {
    return (
      <div className="grid gap-4 px-4 py-4" aria-busy="true">
        {['w-2/5', 'w-3/5', 'w-1/2', 'w-2/5', 'w-3/5'].map((width, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have nothing else to be told apart by.
          <Skeleton key={at} className={`h-9 ${width}`} />
        ))}
      </div>
    );
  }
  if (days.every(({ movements, staying }) => movements.length === 0 && staying === 0)) {
    return <EmptyState icon={DoorOpen} title="Nobody stays in these seven days" />;
  }
  return (
    <div>
      {days.map(({ day, movements, staying, blocked }) => (
        <section key={day} aria-labelledby={`day-${day}`} className="border-t first:border-t-0">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3 bg-muted/50 px-4 py-2">
            <h2 id={`day-${day}`} className="font-semibold text-sm">
              {day === today ? 'Today, ' : day === today + 1 ? 'Tomorrow, ' : ''}
              {day_name.format(day * 86_400_000)}
            </h2>
            <span className="text-ink-soft text-xs">
              {staying === 1 ? '1 stays the night' : `${staying} stay the night`}
              {blocked > 0 ? `, ${blocked} blocked` : ''}
            </span>
          </div>
          {movements.length > 0 ? (
            <ul className="divide-y divide-line">
              {movements.map((movement) => (
                <MovementRow key={`${movement.way} ${movement.stay.id}`} movement={movement} onOpen={onOpen} />
              ))}
            </ul>
          ) : (
            <p className="px-4 py-2.5 text-ink-soft text-sm">Nobody comes or goes.</p>
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
  movement: Movement;
  onOpen: AgendaProps['onOpen'];
}) {
  const look = LOOKS[lookOf(stay)];
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
            {way === 'arrives' ? 'Arrives' : 'Leaves'}, {property}, {nightsWords(stay)}
          </span>
        </span>
        <span className="grid justify-items-end gap-1">
          {way === 'arrives' ? (
            <span
              className={`inline-flex items-center gap-1 rounded-md border px-1.5 py-0.5 text-xs ${look.className}`}
            >
              <look.icon aria-hidden className="size-3" />
              {look.label}
            </span>
          ) : null}
          {stay.conflict ? <Badge tone="danger">{CONFLICT.label}</Badge> : null}
          {stay.guest_replied ? <Badge tone="violet">{REPLIED.label}</Badge> : null}
        </span>
      </button>
    </li>
  );
}
