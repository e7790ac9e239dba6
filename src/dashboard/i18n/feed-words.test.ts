import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readOpenedFeed } from '@/modules/sync-sources/feed/reader';
import { FAILURES, openFeed } from '@/modules/sync-sources/feed/text';
import type { Ask } from '@/modules/sync-sources/plan/asks';
import {
  askedMessage,
  type FetchFailureKind,
  fetchOutcome,
  heldMessage,
  httpOutcome,
  readOutcome,
} from '@/modules/sync-sources/run/outcome-messages';
import { englishWords } from './english-words';
import { feedWords, SAID } from './feed-words';
import en from './messages/en.json';

const t = englishWords('calendar_health');

const KINDS: Record<FetchFailureKind, true> = {
  dns: true,
  tls: true,
  timeout: true,
  refused: true,
  redirect: true,
  blocked_address: true,
  reset: true,
  body_too_large: true,
  protocol: true,
};
const question = { reason: 'all_gone', since: new Date(0), would: [] } as unknown as Parameters<typeof heldMessage>[0];
const run = { health_reason: null, question: null, booking_count: 1, last_healthy_count: 9, problem_count: 0 };

/** Of a calendar in which each event ends, begins or repeats as it cannot. */
function problems(): string[] {
  const DIR = 'src/modules/sync-sources/feed/fixtures/feeds';
  const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
  const broken = [
    event('UID:1'),
    event('DTSTART;VALUE=DATE:20260601', 'DTEND;VALUE=DATE:20260601'),
    event('DTSTART;VALUE=DATE:20260601', 'DTEND;VALUE=DATE:20990601'),
    event('DTSTART;VALUE=DATE:never'),
    event('DTSTART:20260601T990000Z', 'DTEND:20260603T100000Z'),
    event('DTSTART:20260601T1', 'DTEND:20260603T100000Z'),
    event('DTSTART;VALUE=DATE:20260601', 'DURATION:soon'),
    event('DTSTART:20260601T100000Z', 'DURATION:P999999999999W'),
    event(`DTSTART${';X=1'.repeat(101)}:20260601`),
  ];
  const calendars = [
    ...readdirSync(DIR).map((file) => readFileSync(`${DIR}/${file}`)),
    Buffer.from(['BEGIN:VCALENDAR', ...broken, 'BEGIN:VEVENT', 'BEGIN:VEVENT', 'END:VCALENDAR'].join('\r\n')),
  ];
  return calendars.flatMap((bytes) => {
    const opened = openFeed(bytes);
    if (!opened.ok) return [];
    const context = { kind: 'channel_a_ical', time_zone: 'UTC', today: '2026-05-01' } as const;
    return readOpenedFeed(opened, context).problems.map(({ message }) => message);
  });
}

/** What no calendar brings about here, and where it is written. */
const WRITTEN = {
  'The calendar was read, but could not be applied. We try again by ourselves.': 'run/run.ts',
  'The calendar could not be read.': 'dry-run.ts',
  'The event cannot be read.': 'feed/reader.ts',
};

const SENTENCES = [
  ...[200, 301, 304, 400, 401, 403, 404, 405, 410, 422, 429, 500, 503].map((status) => httpOutcome(status).last_error),
  httpOutcome(429, '60').last_error,
  ...[60_000, 7_200_000].map((ms) => httpOutcome(503, '60', ms).last_error),
  ...(Object.keys(KINDS) as FetchFailureKind[]).map((kind) => fetchOutcome(kind).last_error),
  ...Object.values(FAILURES),
  heldMessage(question),
  heldMessage({ ...question, reason: 'another_listing' }),
  ...(['moved', 'rearranged'] as const).map((kind) => askedMessage([{ kind } as Ask])),
  ...(['not_whole', 'no_events', 'shrunk'] as const).map(
    (health_reason) => readOutcome({ ...run, health_reason }).last_error,
  ),
  readOutcome({ ...run, health_reason: 'shrunk', booking_count: 4 }).last_error,
  ...[1, 2].map((unknown_count) => readOutcome({ ...run, unknown_count }).last_error),
  ...[1, 2].map((problem_count) => readOutcome({ ...run, problem_count }).last_error),
  ...Object.keys(WRITTEN),
  ...problems(),
];

it.each([...new Set(SENTENCES)])('in English says what the server says: %s', (sentence) => {
  expect(Object.values(SAID).some((pattern) => pattern.test(sentence ?? ''))).toBe(true);
  expect(feedWords(sentence ?? '', t)).toBe(sentence);
});

it('each of them is still said, and has words', () => {
  const unsaid = Object.entries(SAID).filter(([, pattern]) => !SENTENCES.some((text) => pattern.test(text ?? '')));
  expect(unsaid.map(([key]) => key)).toEqual([]);
  const words = Object.keys(en.calendar_health).filter((key) => key.startsWith('said_'));
  expect(Object.keys(SAID).map((key) => `said_${key}`)).toEqual(words);
  for (const [sentence, file] of Object.entries(WRITTEN))
    expect(readFileSync(`src/modules/sync-sources/${file}`, 'utf8')).toContain(`'${sentence}'`);
});

it('what is not known stays as it comes', () => {
  expect(feedWords('Something new.', t)).toBe('Something new.');
});
