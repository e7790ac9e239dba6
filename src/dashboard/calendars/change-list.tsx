import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { CalendarDay, CalendarDayRange } from '../ui/date-time';
import { Link } from '../ui/link';

/** A change that a calendar would make to one reservation. */
interface Change {
  /** The kind of change. The message `would_…` describes it. */
  what: 'cancel' | 'miss' | 'move' | 'update' | 'restore' | 'adopt' | 'create';
  reservation_id: string | null;
  guest_name: string;
  checkin_date: string;
  checkout_date: string;
  was?: { checkin_date: string; checkout_date: string } | null;
  same_nights?: readonly { as: 'conflict' | 'repeats' | 'repeated_by'; reservation_id: string; guest_name: string }[];
}

/** The number of changes to list. The rest is shown as a count. */
const SHOWN = 50;

const daysOf = ({ checkin_date, checkout_date }: { checkin_date: string; checkout_date: string }) => ({
  from: () => <CalendarDay value={checkin_date} />,
  to: () => <CalendarDay value={checkout_date} />,
});

/** Lists the changes that a calendar would make, one line for each reservation. */
export function CalendarChangeList({
  changes,
  total = changes.length,
}: {
  changes: readonly Change[];
  total?: number;
}) {
  const t = useTranslations('calendars');
  const shown = changes.slice(0, SHOWN);
  return (
    <ul className="divide-y divide-line" aria-label={t('what_the_calendar_would_do')}>
      {shown.map((one) => (
        <li
          key={`${one.what} ${one.reservation_id} ${one.checkin_date} ${one.checkout_date} ${one.guest_name}`}
          className="flex flex-wrap items-baseline gap-x-2 px-5 py-3 text-sm"
        >
          <span className={one.what === 'cancel' ? 'font-medium text-danger' : 'font-medium'}>
            {t(`would_${one.what}`)}
          </span>
          {one.reservation_id ? (
            <Link href={paths.reservation(one.reservation_id)} className="break-words font-medium hover:underline">
              {one.guest_name}
            </Link>
          ) : (
            <span className="break-words font-medium">{one.guest_name}</span>
          )}
          <span className="text-ink-soft">
            {one.what === 'move' ? (
              t.rich('moved_to', daysOf(one))
            ) : (
              <CalendarDayRange from={one.checkin_date} to={one.checkout_date} />
            )}
            {one.was ? <> {t.rich('now_on', daysOf(one.was))}</> : null}
          </span>
          {one.same_nights?.map(({ as, reservation_id, guest_name }) => (
            <span
              key={reservation_id}
              className={as === 'conflict' ? 'basis-full text-danger' : 'basis-full text-ink-soft'}
            >
              {t.rich(`shared_${as}`, {
                other: () => (
                  <Link href={paths.reservation(reservation_id)} className="underline underline-offset-4">
                    {guest_name}
                  </Link>
                ),
              })}
            </span>
          ))}
        </li>
      ))}
      {total > shown.length ? (
        <li className="px-5 py-3 text-ink-soft text-sm">{t('and_count_more', { count: total - shown.length })}</li>
      ) : null}
    </ul>
  );
}
