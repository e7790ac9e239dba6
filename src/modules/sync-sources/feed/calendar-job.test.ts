import { expect, it } from 'vitest';
import { fingerprintAndParseCalendar } from './calendar-job';
import { computeFeedFingerprint, type FeedInterpretationContext } from './reader';

const bytes = new TextEncoder().encode(
  'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\nDTSTART:20260601\nDTEND:20260603\nEND:VEVENT\nEND:VCALENDAR\n',
);
const context: FeedInterpretationContext = { kind: 'channel_b_ical', time_zone: 'UTC', today: '2026-05-15' };
const job = { bytes, content_type: null, context, settings: '{}' };

it('a calendar is parsed again only when it or a setting that affects the result has changed', () => {
  const first = fingerprintAndParseCalendar(job);
  if (!first.ok) throw new Error(first.reason);
  expect(first).toMatchObject({ whole: true, repeats: false, feed: { event_count: 1 } });
  const known_fingerprint = computeFeedFingerprint(first, context, '{}');
  expect(fingerprintAndParseCalendar({ ...job, known_fingerprint })).toEqual({ ...first, feed: null });
  expect(fingerprintAndParseCalendar({ ...job, known_fingerprint: null })).toEqual(first);
  expect(fingerprintAndParseCalendar({ ...job, known_fingerprint, settings: '{"closures_are_blocks":true}' })).toEqual(
    first,
  );
});

it('a text that is not a calendar is reported with the reason', () => {
  expect(fingerprintAndParseCalendar({ ...job, bytes: new Uint8Array() })).toMatchObject({
    ok: false,
    reason: 'empty_body',
  });
});
