import { describe, expect, it } from 'vitest';
import { findMailDropReason, getMailRetryTime, type MailProviderError } from './delivery.rules';

const NOW = new Date('2026-05-01T12:00:00Z');
const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const error = (changes: Partial<MailProviderError> = {}): MailProviderError => ({
  name: 'internal_server_error',
  message: 'x',
  status: 500,
  retry_after_s: null,
  ...changes,
});
const waits = (given: Partial<MailProviderError>, attempts = 1) => {
  const at = getMailRetryTime(error(given), attempts, NOW);
  return at && at.getTime() - NOW.getTime();
};

describe('a queued mail', () => {
  it.each([
    ['one_time_code', 10 * MINUTE],
    ['reminder_24h', 12 * HOUR],
    ['reminder_2h', 2 * HOUR],
    ['late_alert', 24 * HOUR],
    ['reset_password', HOUR],
  ])('of kind %s is useful for %i ms', (template, useful_for) => {
    const mail = (created_at: Date) => ({ template, created_at, first_attempted_at: null });
    expect(findMailDropReason(mail(ago(useful_for)), NOW)).toBeNull();
    expect(findMailDropReason(mail(ago(useful_for + 1)), NOW)).toMatch(/too old/);
  });
  it('of any other kind never becomes useless', () => {
    const mail = { template: 'packet', created_at: ago(999 * HOUR), first_attempted_at: null };
    expect(findMailDropReason(mail, NOW)).toBeNull();
  });
  it('is retried only while the provider remembers its key', () => {
    const tried = (first_attempted_at: Date) => ({
      template: 'packet',
      created_at: ago(99 * HOUR),
      first_attempted_at,
    });
    expect(findMailDropReason(tried(ago(23 * HOUR)), NOW)).toBeNull();
    expect(findMailDropReason(tried(ago(23 * HOUR + 1)), NOW)).toMatch(/twice/);
  });
});

describe('a mail that failed', () => {
  it('waits longer each time, and is given up within the day that the provider remembers its key', () => {
    const delays = Array.from({ length: 9 }, (_, index) => waits({}, index + 1));
    const minutes = delays.map((delay) => (delay === null ? null : delay / MINUTE));
    expect(minutes).toEqual([0.5, 2, 10, 30, 60, 180, 360, 480, null]);
    expect(delays.reduce<number>((sum, delay) => sum + (delay ?? 0), 0)).toBeLessThan(23 * HOUR);
  });
  it.each([
    ['a server error', { status: 500 }],
    ['an unavailable provider', { status: 503 }],
    ['too many requests', { status: 429 }],
    ['a timeout at the provider', { status: 408 }],
    ['no response', { status: null }],
    ['a key that the operator can fix', { status: 401 }],
    ['a domain that the operator can verify', { status: 403 }],
    ['a concurrent request with the same key', { status: 409, name: 'concurrent_idempotent_requests' }],
    ['a redirect', { status: 302 }],
  ])('with %s is retried', (_name, given) => {
    expect(waits(given)).toBe(30 * SECOND);
  });
  it.each([400, 404, 409, 422, 499])('with %i is not retried', (status) => {
    expect(waits({ status, name: 'validation_error' })).toBeNull();
  });
  it.each<[number, string, boolean]>([
    [500, 'RCPT TO', true],
    [550, 'RCPT TO', true],
    [552, 'DATA', true],
    [450, 'RCPT TO', false],
    [451, 'DATA', false],
    [535, 'AUTH PLAIN', false],
    [550, 'MAIL FROM', false],
    [554, 'CONN', false],
    [530, 'STARTTLS', false],
  ])('with an SMTP reply %i to %s is final: %s', (code, command, final) => {
    const waited = waits({ name: 'EENVELOPE', status: null, reply: { code, command } });
    expect(waited).toBe(final ? null : 30 * SECOND);
  });
  it('waits as long as the provider requests when that is longer', () => {
    expect(waits({ status: 429, retry_after_s: 31 })).toBe(31 * SECOND);
    expect(waits({ status: 429, retry_after_s: 29 })).toBe(30 * SECOND);
  });
});
