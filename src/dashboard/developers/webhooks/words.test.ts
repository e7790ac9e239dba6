import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { englishWords } from '@/dashboard/i18n/english-words';
import en from '@/dashboard/i18n/messages/en.json';
import { EVENT_TYPE_NAMES } from '@/events/catalogue';
import { type OutboundErrorKind, toOutboundError } from '@/infra/outbound/errors';
import { disabledBecause } from '@/modules/webhooks/delivery/results.rules';
import { HOST_LOCALES } from '@/shared/language/host-language';
import { deliveryWords, SAID } from './delivery-words';
import { EVENT_GROUPS, subscription } from './event-groups';
import { outcomeOf } from './outcome';

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

it('every kind of failure has its words', () => {
  // The compiler asks for each.
  const words: Record<`error_${OutboundErrorKind}`, string> = en.developers;
  for (const [key, label] of Object.entries(words).filter(([name]) => name.startsWith('error_'))) {
    const failed = { ...attempt, error_kind: key.slice('error_'.length) };
    expect(outcomeOf(failed, NOW, englishWords('developers')).label).toBe(label);
  }
});

it('every event type is in exactly one group', () => {
  const types = EVENT_GROUPS.flatMap((group) => group.types);
  expect([...types].sort()).toEqual([...EVENT_TYPE_NAMES].sort());
  expect(EVENT_GROUPS.map((group) => group.name)).not.toContain('other');
});

it('a subscription in words', () => {
  const t = englishWords('webhooks');
  expect(subscription(['*'], t)).toBe('All events');
  expect(subscription(['packet.updated'], t)).toBe('packet.updated');
  expect(subscription(['packet.updated', 'property.created'], t)).toBe('2 event types');
});

/** Where the server says what no error code brings about here. */
const WRITTEN = {
  'The host name example.com could not be resolved.': 'infra/outbound/connector.ts',
  'The host’s address is private or reserved.': 'infra/outbound/connector.ts',
  'The answer was not complete within 2.5 seconds.': 'infra/outbound/client.ts',
  'The server answered with a redirect (302), which is not followed.': 'infra/outbound/client.ts',
  'The answer is larger than 1024 bytes.': 'infra/outbound/body.ts',
  'The answer’s Content-Encoding “zip” is not supported.': 'infra/outbound/body.ts',
  'The answer’s compressed body is broken.': 'infra/outbound/body.ts',
  'The attempt could not be made.': 'modules/webhooks/delivery/attempt.ts',
};

describe('what the server says of a failed attempt', () => {
  const codes = ['ENOTFOUND', 'CERT_HAS_EXPIRED', 'ETIMEDOUT', 'ECONNREFUSED', 'ECONNRESET', 'HPE_INVALID_CONSTANT'];
  const sentences = [
    disabledBecause(9, 'evt_1'),
    ...codes.map((code) => toOutboundError({ code }, { status: null, duration_ms: 1 }).message),
    ...Object.keys(WRITTEN),
  ];
  const t = englishWords('webhooks');

  it.each(sentences)('is said in English as it is, and known: %s', (sentence) => {
    expect(Object.values(SAID).filter((pattern) => pattern.test(sentence))).toHaveLength(1);
    expect(deliveryWords(sentence, t)).toBe(sentence);
  });

  it('is all still said', () => {
    const unsaid = Object.entries(SAID).filter(([, pattern]) => !sentences.some((sentence) => pattern.test(sentence)));
    expect(unsaid.map(([key]) => key)).toEqual([]);
    for (const [sentence, file] of Object.entries(WRITTEN)) {
      const [beginning = ''] = sentence.split(/ example\.com| 2\.5|302| 1024|zip/);
      expect(readFileSync(`src/${file}`, 'utf8')).toContain(beginning);
    }
  });

  it('stays as it comes where it is not known', () => {
    expect(deliveryWords('Something new.', t)).toBe('Something new.');
  });
});

it.each(HOST_LOCALES)(
  'in %s a sentence that names the button “Redeliver failed” calls it as it is called',
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
