import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createEnglishTranslator } from '@/dashboard/i18n/english-words';
import en from '@/dashboard/i18n/messages/en.json';
import { EVENT_TYPE_NAMES } from '@/events/catalogue';
import type { OutboundErrorKind } from '@/infra/outbound/errors';
import { HOST_LOCALES } from '@/shared/language/host-language';
import { describeEventSubscription, EVENT_TYPE_GROUPS } from './event-groups';
import { describeDeliveryAttemptOutcome } from './outcome';

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
      'Waiting until enabled',
    ],
  ])('%s', (_name, change, label) =>
    expect(
      describeDeliveryAttemptOutcome({ ...attempt, ...change }, NOW, createEnglishTranslator('developers')).label,
    ).toBe(label),
  );
});

it('every kind of failure has a label', () => {
  // The type annotation requires a label for every kind of failure.
  const words: Record<`error_${OutboundErrorKind}`, string> = en.developers;
  for (const [key, label] of Object.entries(words).filter(([name]) => name.startsWith('error_'))) {
    const failed = { ...attempt, error_kind: key.slice('error_'.length) };
    expect(describeDeliveryAttemptOutcome(failed, NOW, createEnglishTranslator('developers')).label).toBe(label);
  }
});

it('every event type is in exactly one group', () => {
  const types = EVENT_TYPE_GROUPS.flatMap((group) => group.types);
  expect([...types].sort()).toEqual([...EVENT_TYPE_NAMES].sort());
  expect(EVENT_TYPE_GROUPS.map((group) => group.name)).not.toContain('other');
});

it('a subscription is summarised in words', () => {
  const t = createEnglishTranslator('webhooks');
  expect(describeEventSubscription(['*'], t)).toBe('All events');
  expect(describeEventSubscription(['packet.updated'], t)).toBe('packet.updated');
  expect(describeEventSubscription(['packet.updated', 'property.created'], t)).toBe('2 event types');
});

it.each(HOST_LOCALES)(
  'in %s sentences that name the button “Redeliver failed events” use its exact label',
  (locale) => {
    const { events, webhooks } = JSON.parse(
      readFileSync(`src/dashboard/i18n/messages/${locale}.json`, 'utf8'),
    ) as typeof en;
    for (const sentence of [
      events.no_endpoint_that_was_enabled_at_the,
      webhooks.events_meanwhile,
      webhooks.mend_the_receiver,
    ])
      expect(sentence).toContain(webhooks.redeliver_failed);
  },
);
