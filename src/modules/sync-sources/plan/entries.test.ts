/**
 * Tests which entries are bookings, and which blocks hosts see. Both depend on the words that the
 * channel uses, and on the host's decisions about single stays and about words.
 */
import { describe, expect, it } from 'vitest';
import { addDays } from '../feed/calendar-days';
import type { FeedEntry } from '../feed/reader';
import type { FeedEntryInterpretationSettings } from '../json-columns.schemas';
import { buildFeedEntry as entryOf, TODAY } from '../testing/plans';
import {
  decideFeedEntryOutcomes,
  type FeedEntryOutcomesInput,
  filterCurrentStayClassifications,
  listBlockedNights,
  summarizeUpcomingFeedEntries,
} from './entries';

const entry = (changes: Partial<FeedEntry> = {}) =>
  entryOf('2026-06-10', '2026-06-14', { class: 'unknown', summary: 'Fully taken', ...changes });
const decide = (entries: FeedEntry[], input: Partial<FeedEntryOutcomesInput> = {}) =>
  decideFeedEntryOutcomes({ feed: { entries }, closures_are_blocks: false, marks: [], today: TODAY, ...input });
const ALL: FeedEntryInterpretationSettings = { otherwise: 'booking', rules: [] };

describe('the decision about an entry', () => {
  const stay_mark = { checkin_date: '2026-06-10', checkout_date: '2026-06-14' };
  const whole = { words: ' FULLY  taken', match: 'whole', as: 'booking' } as const;
  const part = { words: 'Taken', match: 'contains', as: 'block' } as const;
  const ruled = (...rules: FeedEntryInterpretationSettings['rules']): Partial<FeedEntryOutcomesInput> => ({
    reading: { otherwise: 'skip', rules },
  });

  it.each<[string, Partial<FeedEntryOutcomesInput>, Partial<FeedEntry>, string]>([
    ['a rule for the whole text wins over one for a part', ruled(part, whole), {}, 'booking'],
    [
      'a rule for a part of the text applies',
      { reading: { otherwise: 'booking', rules: [part] } },
      {},
      'ruled_as_block',
    ],
    ['a rule for the whole text does not match a part', ruled({ ...whole, words: 'taken' }), {}, 'unknown_words'],
    [
      'the first of two matching rules for parts wins',
      ruled({ ...part, as: 'booking' }, { ...part, words: 'fully' }),
      {},
      'booking',
    ],
    [
      'the first of two matching rules for parts wins over a longer one',
      ruled(part, { ...part, words: 'fully taken', as: 'booking' }),
      {},
      'ruled_as_block',
    ],
    ['a rule for other words does not apply', ruled({ ...part, words: 'closed' }), {}, 'unknown_words'],
    ['a rule turns a block into a booking', ruled(whole), { class: 'block' }, 'booking'],
    ['a rule does not restore a cancelled entry', ruled(whole), { cancelled: true }, 'cancelled'],
    ['a cancelled entry in the words of a block is cancelled', {}, { class: 'block', cancelled: true }, 'cancelled'],
    [
      'a stay marked as a block wins over a rule',
      { ...ruled(whole), marks: [{ ...stay_mark, as: 'block' }] },
      {},
      'marked_as_block',
    ],
    [
      'a stay marked as a booking wins over a rule',
      { ...ruled(part), marks: [{ ...stay_mark, as: 'booking' }] },
      {},
      'booking',
    ],
    [
      'a tentative entry marked as a booking stays tentative',
      { marks: [{ ...stay_mark, as: 'booking' }] },
      { class: 'tentative' },
      'tentative',
    ],
    [
      'a mark on another stay does not apply',
      { marks: [{ ...stay_mark, checkout_date: '2026-06-15' }] },
      {},
      'unknown_words',
    ],
    ['unknown words without a rule are skipped', {}, {}, 'unknown_words'],
    ['unknown words are a booking in a calendar of guest names', { reading: ALL }, {}, 'booking'],
    ['a block stays a block in a calendar of guest names', { reading: ALL }, { class: 'block' }, 'block'],
    ['a closure is a booking', {}, { class: 'closure' }, 'booking'],
    [
      'a closure is a block when the source treats closures as blocks',
      { closures_are_blocks: true },
      { class: 'closure' },
      'closures_are_blocks',
    ],
    [
      'a closure marked as a booking is one even when closures are blocks',
      { closures_are_blocks: true, marks: [{ ...stay_mark, as: 'booking' }] },
      { class: 'closure' },
      'booking',
    ],
    [
      'a booking stays a booking when closures are blocks',
      { closures_are_blocks: true },
      { class: 'booking' },
      'booking',
    ],
  ])('%s', (_name, input, changes, expected) => {
    const decided = decide([entry(changes)], input);
    const found =
      decided.skipped[0]?.reason ?? (decided.bookings.length ? 'booking' : decided.cancelled.length ? 'cancelled' : '');
    expect(found).toBe(expected);
  });

  it.each<[string, Partial<FeedEntryOutcomesInput>, Partial<FeedEntry>, boolean]>([
    ['a block', {}, { class: 'block' }, true],
    ['tentative', {}, { class: 'tentative' }, true],
    ['in unknown words', {}, {}, true],
    ['too long for a guest', {}, { class: 'closure', nights: 61 }, true],
    ['marked as a block by the host', { marks: [stay_mark] }, {}, false],
    ['a block by a word rule', ruled(part), {}, false],
    ['a closure treated as a block', { closures_are_blocks: true }, { class: 'closure' }, false],
  ])('treats an entry that is %s as doubtful: $3', (_name, input, changes, doubtful) => {
    expect(decide([entry(changes)], input).doubtful.size).toBe(doubtful ? 1 : 0);
  });
});

describe('marks', () => {
  const mark = (checkin_date: string, checkout_date: string) => ({ checkin_date, checkout_date });

  it.each([
    ['starts as marked', '2026-05-10', true],
    ['starts today', TODAY, true],
    ['starts tomorrow, as in a time zone ahead', '2026-05-16', true],
    ['starts later', '2026-05-17', false],
    ['starts before the mark', '2026-05-09', false],
  ])('apply to a stay that %s: $2', (_name, start, marked) => {
    const marks = [mark('2026-05-10', '2026-05-25')];
    const { skipped } = decide([entryOf(start, '2026-05-25', { class: 'closure' })], { marks });
    expect(skipped.map(({ reason }) => reason)).toEqual(marked ? ['marked_as_block'] : []);
  });

  it('expire when their stays end', () => {
    const marks = [mark('2026-05-01', TODAY), mark('2026-05-01', '2026-05-16'), mark('2026-06-01', '2026-06-02')];
    expect(filterCurrentStayClassifications(marks, TODAY)).toEqual(marks.slice(1));
  });

  it('are not proposed for entries that the channel itself calls blocks', () => {
    expect(decide([entry({ class: 'block' }), entry({ class: 'tentative' })]).new_marks).toEqual([]);
  });

  it('are limited to two hundred proposals a run', () => {
    const long = Array.from({ length: 201 }, (_, nth) =>
      entryOf(addDays('2026-06-01', nth), addDays('2026-09-01', nth), { class: 'closure' }),
    );
    const { skipped, new_marks } = decide(long);
    expect([skipped.length, new_marks.length]).toEqual([201, 200]);
  });
});

describe('blocked nights', () => {
  const skipped = (from: string, to: string, reason: string, summary = 'Closed') => ({
    entry: entryOf(from, to, { summary }),
    reason,
  });

  it('are those of blocks that have not ended, sorted by date, with their summaries', () => {
    const found = listBlockedNights(
      [
        skipped('2026-07-01', '2026-07-03', 'block', `${'x'.repeat(79)} y`),
        skipped('2026-05-01', TODAY, 'block'),
        skipped('2026-05-01', '2026-05-16', 'marked_as_block', ' Painter '),
        skipped('2026-06-02', '2026-06-03', 'ruled_as_block'),
        skipped('2026-06-01', '2026-06-03', 'closures_are_blocks'),
        skipped('2026-08-01', '2026-10-30', 'proposed_as_block'),
        skipped('2026-06-05', '2026-06-06', 'tentative'),
        skipped('2026-06-05', '2026-06-06', 'unknown_words'),
      ],
      TODAY,
    );
    expect(found).toEqual([
      { checkin_date: '2026-05-01', checkout_date: '2026-05-16', words: 'Painter' },
      { checkin_date: '2026-06-01', checkout_date: '2026-06-03', words: 'Closed' },
      { checkin_date: '2026-06-02', checkout_date: '2026-06-03', words: 'Closed' },
      { checkin_date: '2026-07-01', checkout_date: '2026-07-03', words: 'x'.repeat(79) },
      { checkin_date: '2026-08-01', checkout_date: '2026-10-30', words: 'Closed' },
    ]);
  });

  it('are limited to the next two hundred', () => {
    const days = Array.from({ length: 250 }, (_, nth) => addDays('2026-06-01', 249 - nth));
    const found = listBlockedNights(
      days.map((day) => skipped(day, addDays(day, 1), 'block')),
      TODAY,
    );
    expect([found.length, found[0]?.checkin_date]).toEqual([200, '2026-06-01']);
  });

  it('are counted in the preview, whose next arrival may be today', () => {
    const entries = [
      entryOf('2026-05-10', TODAY, { class: 'block' }),
      entryOf('2026-05-10', '2026-05-16', { class: 'block' }),
      entryOf('2026-06-01', '2026-06-02', { class: 'tentative' }),
      entryOf('2026-06-01', '2026-06-02'),
      entryOf(TODAY, '2026-05-20'),
      entryOf('2026-05-14', '2026-05-20'),
      entryOf('2026-05-10', TODAY),
    ];
    expect(summarizeUpcomingFeedEntries(decide(entries), TODAY)).toEqual({
      bookings: 3,
      blocks: 1,
      next_arrival: TODAY,
    });
    expect(summarizeUpcomingFeedEntries(decide([]), TODAY)).toEqual({ bookings: 0, blocks: 0, next_arrival: null });
  });
});
