import { useTranslations } from 'use-intl/react';
import { Notice } from '../developers/notice';
import type { CalendarPreview as Preview } from '../types';
import { CalendarDay } from '../ui/date-time';
import { CalendarChangeList } from './change-list';
import { AmbiguousCalendarEntriesPrompt } from './policy-select';

/** Shows the contents of a calendar before the calendar is saved. */
export function FeedPreview({
  preview,
  onDoubtful,
}: {
  preview: Preview;
  onDoubtful: (answer: 'block' | 'booking') => void;
}) {
  const t = useTranslations('calendars');
  const health = useTranslations('calendar_health');
  if (!preview.ok) {
    return (
      <Notice tone="danger" title={health('this_calendar_cannot_be_read')}>
        {preview.message}
      </Notice>
    );
  }
  const { bookings, blocks, next_arrival, unknown, problems, whole, changes, changes_total } = preview;
  const made = changes.filter(({ what }) => what === 'create').length;
  const another = unknown > 0 && unknown >= bookings;
  return (
    <div className="grid gap-3">
      <Notice
        tone="info"
        title={
          next_arrival
            ? t.rich('it_holds_next', { bookings, blocks, day: () => <CalendarDay value={next_arrival} /> })
            : t('it_holds', { bookings, blocks })
        }
      >
        {bookings === 0
          ? t('an_empty_calendar_is_what_a_new_listing_has')
          : made === bookings
            ? t('connecting_creates_each')
            : t('connecting_creates_some', { made })}
      </Notice>
      {changes_total > 0 ? (
        <section
          className="max-h-64 overflow-y-auto rounded-lg border"
          aria-label={t('what_would_happen')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: users must be able to scroll with the keyboard.
          tabIndex={0}
        >
          <CalendarChangeList changes={changes} total={changes_total} />
        </section>
      ) : null}
      {preview.doubtful_total > 0 ? (
        <AmbiguousCalendarEntriesPrompt
          entries={preview.doubtful}
          total={preview.doubtful_total}
          pending={null}
          onAnswer={onDoubtful}
        />
      ) : null}
      {another ? (
        <Notice tone="warning">{t('entries_do_not_read_like_this_channels', { count: unknown })}</Notice>
      ) : null}
      {problems > 0 ? <Notice tone="warning">{t('events_will_be_skipped', { count: problems })}</Notice> : null}
      {whole ? null : <Notice tone="warning">{t('the_calendar_broke_off')}</Notice>}
    </div>
  );
}
