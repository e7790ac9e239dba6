import { Notice } from '../developers/notice';
import { CalendarDay } from '../ui/date-time';
import { countOf } from './labels';
import type { Preview } from './queries';

/** What a calendar holds, before it is saved. */
export function FeedPreview({ preview }: { preview: Preview }) {
  if (!preview.ok) {
    return (
      <Notice tone="danger" title="This calendar cannot be read.">
        {preview.message}
      </Notice>
    );
  }
  const { bookings, blocks, next_arrival, unknown, problems, whole, first } = preview;
  const doubtful = unknown > 0 && unknown >= bookings;
  return (
    <div className="grid gap-3">
      <Notice
        tone="info"
        title={
          <>
            {countOf(bookings, 'booking', 'bookings')}, {countOf(blocks, 'block', 'blocks')}
            {next_arrival ? (
              <>
                , next arrival <CalendarDay value={next_arrival} />
              </>
            ) : null}
          </>
        }
      >
        {first.length > 0 ? (
          <ul className="grid gap-1">
            {first.map((stay) => (
              <li key={`${stay.checkin_date} ${stay.checkout_date} ${stay.guest_name}`}>
                {stay.guest_name}: <CalendarDay value={stay.checkin_date} /> to{' '}
                <CalendarDay value={stay.checkout_date} />
              </li>
            ))}
            {bookings > first.length ? <li>and {bookings - first.length} more</li> : null}
          </ul>
        ) : (
          'An empty calendar is what a new listing has. Bookings will come as they are made.'
        )}
      </Notice>
      {doubtful ? (
        <Notice tone="warning">
          {countOf(unknown, 'entry does', 'entries do')} not read like this channel’s. Is the channel the right one?
        </Notice>
      ) : null}
      {problems > 0 ? (
        <Notice tone="warning">{countOf(problems, 'event', 'events')} cannot be read and will be skipped.</Notice>
      ) : null}
      {whole ? null : <Notice tone="warning">The calendar broke off before its end. Try once more.</Notice>}
    </div>
  );
}
