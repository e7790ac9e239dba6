import { createTranslator } from 'use-intl/core';
import { describe, expect, it } from 'vitest';
import { englishWords } from '@/dashboard/i18n/english-words';
import de from '@/dashboard/i18n/messages/de.json';
import en from '@/dashboard/i18n/messages/en.json';
import type { WordsOf } from '@/dashboard/i18n/words-of';
import { EVENT_TYPE_NAMES, EVENT_TYPES } from '@/events/catalogue';
import type { OutboundErrorKind } from '@/infra/outbound/errors';
import { disabledBecause } from '@/modules/webhooks/delivery/results.rules';
import { EVENT_GROUPS, eventMeaning, subscription } from './event-groups';
import { disabledReason, outcomeOf } from './outcome';

/** The compiler asks for the words of every kind of failure. */
const WORDS: Record<`error_${OutboundErrorKind}`, string> = en.developers;

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const attempt = {
  status: 'failed' as const,
  status_code: null,
  error_kind: null,
  due_at: new Date(NOW).toISOString(),
  endpoint_status: 'enabled',
};

describe('the outcome of an attempt', () => {
  it.each([
    ['accepted', { status: 'succeeded' as const, status_code: 204 }, 'Accepted, 204'],
    ['refused', { status_code: 500 }, 'Refused, 500'],
    ['not answered', { error_kind: 'timeout' }, 'Timed out'],
    ['cut off after the status line', { status_code: 200, error_kind: 'reset' }, 'Connection lost'],
    ['failed in a new way', { error_kind: 'something' }, 'Could not be sent'],
    ['due', { status: 'pending' as const }, 'Being sent'],
    ['due later', { status: 'pending' as const, due_at: new Date(NOW + 1).toISOString() }, 'Scheduled'],
    [
      'due on a disabled endpoint',
      { status: 'pending' as const, endpoint_status: 'auto_disabled' },
      'Waits until enabled',
    ],
  ])('%s', (_name, change, label) =>
    expect(outcomeOf({ ...attempt, ...change }, NOW, englishWords('developers')).label).toBe(label),
  );
});

it('every event type is in exactly one group', () => {
  const types = EVENT_GROUPS.flatMap((group) => group.types);
  expect([...types].sort()).toEqual([...EVENT_TYPE_NAMES].sort());
  expect(EVENT_GROUPS.map((group) => group.name)).not.toContain('other');
});

it('every event type has its words, in English those of the catalogue, and no other has any', () => {
  for (const type of EVENT_TYPE_NAMES)
    expect(eventMeaning(type, englishWords('developers'))).toBe(EVENT_TYPES[type].replaceAll('`', ''));
  expect(Object.keys(WORDS).filter((key) => key.startsWith('meaning_'))).toHaveLength(EVENT_TYPE_NAMES.length);
});

it('a subscription in words', () => {
  const t = englishWords('webhooks');
  expect(subscription(['*'], t)).toBe('All events');
  expect(subscription(['packet.updated'], t)).toBe('packet.updated');
  expect(subscription(['packet.updated', 'property.created'], t)).toBe('2 event types');
});

it('why the server disabled an endpoint is said in the language of the page; what is not known as it comes', () => {
  const t = createTranslator({ locale: 'de', messages: de, namespace: 'webhooks' }) as unknown as WordsOf<'webhooks'>;
  expect(disabledReason(disabledBecause(9, 'evt_1'), t)).toBe('9 Versuche, evt_1 zuzustellen, sind fehlgeschlagen.');
  expect(disabledReason('By hand.', t)).toBe('By hand.');
});
