/**
 * Tests a real server over several days by restarting it with its clock set ahead. Checks its
 * behaviour from outside: the specification's whole retry table, auto-disable, re-enabling and
 * redelivery, auto-send, both reminders, the late alert and expiry. Needs the build that `npm test`
 * creates.
 * @module-tag exhaustive
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '@/testing/random';
import { startWebhookReceiver, type WebhookReceiver } from '@/testing/receiver';
import { hasNextJsBuild, startTestServer, type TestServer } from '@/testing/server';
import { type MailProvider, startMailProvider } from '../../e2e/support/mail-provider';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The specification's retry delays: 1m, 5m, 30m, 2h, 6h, 12h, 24h, 24h, 24h. */
const TABLE = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, DAY, DAY, DAY];
/**
 * The maximum wait for a result. It must be longer than a server's start. The server's shifted
 * clock keeps running during the wait.
 */
const WITHIN_MS = 90_000;
const OWNER = { email: 'owner@example.com', password: 'correct horse battery' };

// biome-ignore lint/suspicious/noExplicitAny: read as any client in any language would.
type Body = any;

let server: TestServer;
let provider: MailProvider;
let receiver: WebhookReceiver;
let key: string;
/** Milliseconds by which the server's clock is ahead of the test's clock. */
let shift = 0;

const clockNow = () => Date.now() + shift;

async function api(method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(`${server.url}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return text ? JSON.parse(text) : {};
}

/** Restarts the server with its clock at the given time. */
async function wakeAt(time: number, { with_pages = false } = {}): Promise<void> {
  shift = time - Date.now();
  await server.restart({ TIME_SHIFT_MS: String(shift), THRESHOLD_WITHOUT_NEXT: with_pages ? '0' : '1' });
}

async function until<T>(what: string, look: () => Promise<T | null | undefined | false>): Promise<T> {
  const deadline = Date.now() + WITHIN_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`${what} did not come to pass.\n${server.output().slice(-2_000)}`);
    await sleep(200);
  }
}

describe.skipIf(!hasNextJsBuild())('days of simulated time, from outside (skipped without a build)', () => {
  beforeAll(async () => {
    provider = await startMailProvider(createRandom(1), 0);
    receiver = await startWebhookReceiver();
    server = await startTestServer({
      built: true,
      env: {
        NODE_OPTIONS: `--import=${pathToFileURL('src/testing/shifted-clock.mjs').href}`,
        // An empty value selects the specification's delays.
        WEBHOOK_RETRY_DELAYS_S: '',
        RESEND_API_KEY: 're_days',
        RESEND_BASE_URL: provider.url,
      },
    });
    const { team } = await server.createTeam({ name: 'Days', ...OWNER });
    key = (await server.admin<{ key: string }>('key', 'create', '--team', team.id, '--mode', 'live')).key;
  }, 180_000);
  afterAll(async () => {
    await server?.stop();
    await Promise.all([provider?.close(), receiver?.close()]);
  }, 60_000);

  const mailsTo = (to: string, subject: RegExp) =>
    provider.sent.filter((mail) => mail.to.includes(to) && subject.test(mail.subject));

  it('a failing delivery is retried on schedule, its endpoint disabled after nine failures, and then recovers', async () => {
    receiver.answer = () => 500;
    const endpoint = await api('POST', '/webhook_endpoints', { url: receiver.url, events: ['property.created'] });
    await api('POST', '/properties', { name: 'Casa Azul' });
    const of_endpoint = `/webhook_endpoints/${endpoint.id}`;
    const attempts = async (): Promise<Body[]> =>
      (await api('GET', `${of_endpoint}/deliveries?limit=100`)).data.sort(
        (a: Body, b: Body) => a.attempt_number - b.attempt_number,
      );
    const failed = async (count: number) => {
      const all = await attempts();
      return all.filter(({ status }) => status === 'failed').length === count && all;
    };
    for (const [index, wait] of TABLE.entries()) {
      await until(`failure ${index + 1}`, () => failed(index + 1));
      expect(receiver.received).toHaveLength(index + 1);
      const pending = (await attempts()).at(-1);
      // After the last failure the endpoint is disabled and has no pending attempt.
      if (index === TABLE.length - 1) {
        expect(pending.next_retry_at).toBeNull();
        break;
      }
      const due = Date.parse(pending.next_retry_at);
      // An attempt may be late by up to a tenth of the delay. It is never early.
      const waits = due - Date.parse((await attempts()).at(-2).created_at);
      expect([index, due - clockNow() <= wait * 1.1, waits >= wait]).toEqual([index, true, true]);
      await wakeAt(due + SECOND);
    }
    expect(await api('GET', of_endpoint)).toMatchObject({ status: 'auto_disabled' });
    await until('the owner’s mail', async () => mailsTo(OWNER.email, /disabled/i).length === 1);

    // Nothing is sent to a disabled endpoint, even if a delivery is due.
    await wakeAt(clockNow() + 3 * DAY, { with_pages: true });
    await api('POST', '/properties', { name: 'Casa Verde' });
    receiver.answer = () => 200;
    const before = receiver.received.length;
    await enable(endpoint.id);
    await until('what waited', async () => (await attempts()).some(({ status }) => status === 'succeeded'));
    expect(receiver.received.length).toBeGreaterThan(before);
    const event_id = receiver.received[0]?.event.id ?? '';
    const count = receiver.received.filter(({ event }) => event.id === event_id).length;
    expect((await api('POST', `${of_endpoint}/deliveries/${event_id}/redeliver`)).status).toBe('pending');
    await until(
      'the redelivery',
      async () => receiver.received.filter(({ event }) => event.id === event_id).length === count + 1,
    );
    expect(await api('GET', of_endpoint)).toMatchObject({ status: 'enabled', consecutive_failures: 0 });
  }, 600_000);

  /** Enables an endpoint in the dashboard, as the owner. */
  async function enable(id: string): Promise<void> {
    const post = (path: string, body: object, cookie = '') =>
      fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Threshold-Mode': 'live', Origin: server.url, cookie },
        body: JSON.stringify(body),
      });
    const signed_in = await post('/api/auth/sign-in/email', OWNER);
    const cookie = signed_in.headers
      .getSetCookie()
      .map((one) => one.split(';', 1)[0])
      .join('; ');
    const response = await post('/api/trpc/webhook_endpoints.enable', { id }, cookie);
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  }

  it('a stay is sent, reminded twice, reported as late, and expires', async () => {
    const today = new Date(clockNow()).toISOString().slice(0, 10);
    const day = (offset: number) => new Date(Date.parse(today) + offset * DAY).toISOString().slice(0, 10);
    const property = await api('POST', '/properties', {
      name: 'Days House',
      timezone: 'UTC',
      auto_send_packet: true,
      auto_send_offset_hours: 72,
      auto_reminders: true,
    });
    const guest_email = 'guest@example.com';
    const stay = { property_id: property.id, guest_name: 'Ada Lovelace', guest_email };
    const { id } = await api('POST', '/reservations', { ...stay, checkin_date: day(10), checkout_date: day(13) });
    const row = () => api('GET', `/reservations/${id}`);
    const checkin = Date.parse(`${day(10)}T15:00:00Z`);

    await wakeAt(checkin - 71 * HOUR);
    await until('auto-send', async () => (await row()).status === 'sent');
    await until('the packet', async () => mailsTo(guest_email, /./).length === 1);
    await wakeAt(checkin - 23 * HOUR);
    await until('the day’s reminder', async () => (await row()).reminder_24h_sent_at);
    await until('its mail', async () => mailsTo(guest_email, /./).length === 2);
    await wakeAt(checkin - 1.5 * HOUR);
    await until('the last reminder', async () => (await row()).reminder_2h_sent_at);
    await until('its mail', async () => mailsTo(guest_email, /./).length === 3);
    await wakeAt(checkin + HOUR);
    await until('the late alert', async () => (await row()).late_notified_at);
    await wakeAt(Date.parse(`${day(14)}T12:00:00Z`));
    await until('expiry', async () => (await row()).status === 'expired');
    // The server was restarted before and after each mail was sent. No mail was sent twice.
    expect(mailsTo(guest_email, /./)).toHaveLength(3);
    expect(new Set(mailsTo(guest_email, /./).map(({ subject }) => subject)).size).toBe(3);
  }, 600_000);
});
