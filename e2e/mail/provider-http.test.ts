/**
 * Tests reports about mails over HTTP with the real server: signed reports of the provider, and the
 * open pixel. Needs the build that `npm test` creates.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '@/testing/random';
import { hasNextJsBuild, startTestServer, type TestServer } from '@/testing/server';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type MailProvider, type SentMail, startMailProvider } from '../support/mail-provider';

const SECRET = `whsec_${Buffer.from('a secret of the provider, 32 byte').toString('base64')}`;
const BROWSER = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';

describe.skipIf(!hasNextJsBuild())('reports of the mail provider (skipped without a build)', () => {
  let server: TestServer;
  let provider: MailProvider;
  let api: ApiClient;
  let property: string;
  let guests = 0;

  beforeAll(async () => {
    provider = await startMailProvider(createRandom(1), 0);
    server = await startTestServer({
      with_pages: true,
      built: true,
      env: {
        RESEND_API_KEY: 're_test',
        RESEND_BASE_URL: provider.url,
        RESEND_WEBHOOK_SECRET: SECRET,
        METRICS_TOKEN: 'metrics-of-a-test',
      },
    });
    const { team } = await server.createTeam({
      name: 'Mail',
      email: 'owner@example.com',
      password: 'correct horse battery',
    });
    const { key } = await server.admin<{ key: string }>('key', 'create', '--team', team.id, '--mode', 'live');
    api = createApiClient(server.url, key);
    property = (await api.post('/properties', { name: 'Harbour Loft', timezone: 'Europe/Lisbon' })).id;
  });
  afterAll(async () => {
    await server?.stop();
    await provider?.close();
  });

  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  const statusOf = async (id: string): Promise<string> => (await api.get(`/reservations/${id}`)).status;

  async function until<Result>(what: string, ask: () => Promise<Result | undefined> | Result | undefined) {
    const deadline = Date.now() + 20_000;
    for (;;) {
      const result = await ask();
      if (result !== undefined) return result;
      if (Date.now() > deadline) throw new Error(`${what} did not come to pass.`);
      await sleep(50);
    }
  }

  /**
   * Waits until the provider's response is stored. The provider responds after a delay, and the
   * product learns the mail's id only from the response.
   */
  const untilMailIsStored = () =>
    until('an empty mail queue', async () => {
      const response = await fetch(`${server.url}/metrics`, { headers: { Authorization: 'Bearer metrics-of-a-test' } });
      return /^threshold_queue_waiting\{queue="mails"\} 0$/m.test(await response.text()) || undefined;
    });

  /** Sends a reservation. Returns it with its mail once the product knows the provider's id. */
  async function sendMail(guest_email = `guest-${++guests}@example.com`): Promise<{ id: string; mail: SentMail }> {
    const before = provider.sent.length;
    const { id } = await api.post('/reservations', {
      ...{ property_id: property, guest_name: 'Ada Lovelace', guest_email },
      ...{ checkin_date: day(5), checkout_date: day(8) },
    });
    await api.post(`/reservations/${id}/send`);
    const mail = await until(`the mail to ${guest_email}`, () =>
      provider.sent.slice(before).find(({ to }) => to === guest_email),
    );
    await untilMailIsStored();
    return { id, mail };
  }

  interface Tampering {
    secret?: string;
    age_s?: number;
    signed_body?: string;
    id?: string;
  }

  /** Sends a report as the provider does. `wrong` tampers with it. */
  function report(body: unknown, wrong: Tampering = {}): Promise<Response> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const id = wrong.id ?? `msg_${randomBytes(8).toString('hex')}`;
    const timestamp = String(Math.floor(Date.now() / 1000) - (wrong.age_s ?? 0));
    const key = Buffer.from((wrong.secret ?? SECRET).replace('whsec_', ''), 'base64');
    const mac = createHmac('sha256', key)
      .update(`${id}.${timestamp}.${wrong.signed_body ?? text}`)
      .digest('base64');
    return fetch(`${server.url}/api/webhooks/resend`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'svix-id': id,
        'svix-timestamp': timestamp,
        'svix-signature': `v1,${randomBytes(32).toString('base64')} v1,${mac}`,
      },
      body: text,
    });
  }

  const opened = (mail: SentMail) => ({ type: 'email.opened', data: { email_id: mail.id, to: [mail.to] } });
  const bounced = (mail: SentMail, type: string) => ({
    type: 'email.bounced',
    data: { email_id: mail.id, to: [mail.to], bounce: { type, message: 'The mailbox is not there.' } },
  });

  it('a signed report of an opening marks the reservation as opened, once', async () => {
    const { id, mail } = await sendMail();
    expect(await statusOf(id)).toBe('sent');
    expect((await report(opened(mail), { id: 'msg_once' })).status).toBe(200);
    const seen = await api.get(`/reservations/${id}`);
    expect(seen).toMatchObject({ status: 'opened', opened_at: expect.any(String) });
    expect((await report(opened(mail), { id: 'msg_once' })).status).toBe(200);
    expect((await report(opened(mail))).status).toBe(200);
    expect((await api.get(`/reservations/${id}`)).opened_at).toBe(seen.opened_at);
  });

  it('a report that is unsigned, or signed too long ago, changes nothing', async () => {
    const { id, mail } = await sendMail();
    const other = `whsec_${Buffer.from('somebody else’s secret').toString('base64')}`;
    for (const wrong of [{ secret: other }, { age_s: 600 }, { age_s: -600 }, { signed_body: '{}' }]) {
      expect((await report(opened(mail), wrong)).status, JSON.stringify(wrong)).toBe(401);
    }
    const unsigned = await fetch(`${server.url}/api/webhooks/resend`, {
      method: 'POST',
      body: JSON.stringify(opened(mail)),
    });
    expect(unsigned.status).toBe(401);
    expect((await report('not json')).status).toBe(400);
    expect((await report('x'.repeat(300_000))).status).toBe(413);
    expect(await statusOf(id)).toBe('sent');
  });

  const refuses = async (id: string) => {
    const { status, body } = await api.call('POST', `/reservations/${id}/resend`);
    expect([status, (body as { error: { code: string } }).error.code]).toEqual([409, 'address_suppressed']);
  };
  it('an address with a permanent bounce gets no more mail; one with a transient bounce does', async () => {
    const gone = await sendMail();
    const full = await sendMail();
    expect((await report(bounced(gone.mail, 'Permanent'))).status).toBe(200);
    expect((await report(bounced(full.mail, 'Transient'))).status).toBe(200);
    await refuses(gone.id);
    // Sends a mail to the other address. Once it has arrived, an earlier mail to the first address
    // would have arrived too.
    await api.post(`/reservations/${full.id}/resend`);
    await until('the second mail', () => provider.sent.filter(({ to }) => to === full.mail.to)[1]);
    await untilMailIsStored();
    expect(provider.sent.filter(({ to }) => to === gone.mail.to)).toHaveLength(1);
  });

  it('a complaint suppresses its address, in any spelling', async () => {
    const { id, mail } = await sendMail('Grace.Hopper@example.com');
    const complaint = {
      type: 'email.complained',
      data: { email_id: mail.id, to: ['Grace <grace.hopper@EXAMPLE.com>'] },
    };
    expect((await report(complaint)).status).toBe(200);
    await refuses(id);
    await sendMail();
    expect(provider.sent.filter(({ to }) => to === mail.to)).toHaveLength(1);
  });

  it('the tracking pixel always returns the image, and counts only requests by people', async () => {
    const { id, mail } = await sendMail();
    const path = /\/o\/[\w-]+\.gif/.exec(mail.html)?.[0];
    const fetchPixel = (headers: Record<string, string>, method = 'GET', at = path) =>
      fetch(`${server.url}${at}`, { method, headers });
    const machines: [Record<string, string>, string?][] = [
      [{ 'User-Agent': 'curl/8.5.0' }],
      [{ 'User-Agent': 'Mozilla/5.0 (compatible; Proofpoint URL Defense)' }],
      [{ 'User-Agent': 'Mozilla/5.0' }],
      [{ 'User-Agent': BROWSER, Purpose: 'prefetch' }],
      [{ 'User-Agent': BROWSER }, 'HEAD'],
    ];
    for (const [headers, method] of machines) {
      const response = await fetchPixel(headers, method);
      expect(response.status, JSON.stringify(headers)).toBe(200);
      expect(await statusOf(id), JSON.stringify(headers)).toBe('sent');
    }
    const unknown = await fetchPixel({ 'User-Agent': BROWSER }, 'GET', '/o/nobodys-token.gif');
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([200, 'image/gif']);

    const response = await fetchPixel({ 'User-Agent': BROWSER });
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 6).toString()).toBe('GIF89a');
    expect(response.headers.get('content-type')).toBe('image/gif');
    expect(response.headers.get('cache-control')).toContain('no-store');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await statusOf(id)).toBe('opened');
  });
});
