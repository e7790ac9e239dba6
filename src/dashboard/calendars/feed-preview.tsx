import { Notice } from '../developers/notice';
import { CalendarDay } from '../ui/date-time';
import { ChangeList } from './change-list';
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
  const { bookings, blocks, next_arrival, unknown, problems, whole, changes, changes_total } = preview;
  const made = changes.filter(({ what }) => what === 'create').length;
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
        {bookings === 0
          ? 'An empty calendar is what a new listing has. Bookings will come as they are made.'
          : made === bookings
            ? 'Connecting it creates a reservation for each.'
            : `Connecting it creates ${countOf(made, 'reservation', 'reservations')}; the rest are here already.`}
      </Notice>
      {changes_total > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
        <section className="max-h-64 overflow-y-auto rounded-lg border" aria-label="What would happen" tabIndex={0}>
          <ChangeList changes={changes} total={changes_total} />
        </section>
      ) : null}
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
