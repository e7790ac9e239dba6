import { paths } from '../paths';
import { CalendarDay } from '../ui/date-time';
import { Link } from '../ui/link';
import { WOULD_DO } from './labels';

/** What a calendar would do to one reservation. */
interface Change {
  what: keyof typeof WOULD_DO;
  reservation_id: string | null;
  guest_name: string;
  checkin_date: string;
  checkout_date: string;
  was?: { checkin_date: string; checkout_date: string } | null;
  same_nights?: readonly { as: 'conflict' | 'repeats' | 'repeated_by'; reservation_id: string; guest_name: string }[];
}

const SHARED = {
  conflict: 'Same nights as',
  repeats: 'Only repeats the nights of',
  repeated_by: 'Its nights are closed already by',
} as const;

/** The rest are as many more. */
const SHOWN = 50;

/** What a calendar would do, one line a reservation. */
export function ChangeList({ changes, total = changes.length }: { changes: readonly Change[]; total?: number }) {
  const shown = changes.slice(0, SHOWN);
  return (
    <ul className="divide-y divide-line" aria-label="What the calendar would do">
      {shown.map((one) => (
        <li
          key={`${one.what} ${one.reservation_id} ${one.checkin_date} ${one.checkout_date} ${one.guest_name}`}
          className="flex flex-wrap items-baseline gap-x-2 px-5 py-3 text-sm"
        >
          <span className={one.what === 'cancel' ? 'font-medium text-danger' : 'font-medium'}>
            {WOULD_DO[one.what]}
          </span>
          {one.reservation_id ? (
            <Link href={paths.reservation(one.reservation_id)} className="break-words font-medium hover:underline">
              {one.guest_name}
            </Link>
          ) : (
            <span className="break-words font-medium">{one.guest_name}</span>
          )}
          <span className="text-ink-soft">
            {one.what === 'move' ? 'to ' : null}
            <CalendarDay value={one.checkin_date} /> to <CalendarDay value={one.checkout_date} />
            {one.was ? (
              <>
                {' '}
                (now <CalendarDay value={one.was.checkin_date} /> to <CalendarDay value={one.was.checkout_date} />)
              </>
            ) : null}
          </span>
          {one.same_nights?.map(({ as, reservation_id, guest_name }) => (
            <span
              key={reservation_id}
              className={as === 'conflict' ? 'basis-full text-danger' : 'basis-full text-ink-soft'}
            >
              {SHARED[as]}{' '}
              <Link href={paths.reservation(reservation_id)} className="underline underline-offset-4">
                {guest_name}
              </Link>
            </span>
          ))}
        </li>
      ))}
      {total > shown.length ? (
        <li className="px-5 py-3 text-ink-soft text-sm">and {total - shown.length} more</li>
      ) : null}
    </ul>
  );
}
