/** The two HTTP endpoints that receive forwarded mail. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { receiveMailProviderNotification, receiveRawMail } from './http';
import {
  fakeClock,
  forwarding_address,
  listInboundMails,
  listReservations,
  readFixtureMail,
  setUpForwardedMailTests,
} from './testing/mail-test-context';

setUpForwardedMailTests();

describe('POST /api/inbound/email', () => {
  const post = (body: Uint8Array | string, options: { secret?: string; to?: string; headers?: object } = {}) =>
    receiveRawMail(
      new Request(`http://localhost/api/inbound/email${options.to ? `?to=${encodeURIComponent(options.to)}` : ''}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${options.secret ?? 'the-inbound-secret'}`, ...options.headers },
        body: body as BodyInit,
      }),
    );

  it('delivers a raw message to the envelope’s recipient', async () => {
    const response = await post(readFixtureMail('channel-b-en-redirected'), { to: forwarding_address });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ results: [{ address: forwarding_address, outcome: 'applied' }] });
  });

  it('reads the recipient from the message when there is no envelope', async () => {
    const text = Buffer.from(readFixtureMail('channel-b-en-redirected'))
      .toString('latin1')
      .replaceAll(/k7f2m9@in\.threshold\.example/g, forwarding_address);
    expect((await post(text)).status).toBe(200);
    expect(await listReservations()).toHaveLength(1);
  });

  it.each<[string, () => Promise<Response>, number]>([
    ['a wrong secret', () => post('x', { secret: 'the-inbound-secre', to: 'a@b' }), 401],
    ['an unknown address', () => post('From: a@b.example\r\n\r\nx', { to: 'nobody@in.threshold.example' }), 404],
    [
      'another domain',
      () => post('From: a@b.example\r\n\r\nx', { to: forwarding_address.replace('in.', 'out.') }),
      404,
    ],
    ['an empty body', () => post('', { to: forwarding_address }), 400],
  ])('rejects %s', async (_name, call, status) => {
    expect((await call()).status).toBe(status);
    expect(await listInboundMails()).toEqual([]);
  });

  it('returns 404 when no secret is configured', async () => {
    setConfig({ inbound_secret: undefined });
    expect((await post('x', { secret: '' })).status).toBe(404);
  });
});

describe('POST /api/inbound/resend', () => {
  const SECRET = `whsec_${Buffer.from('a key of the provider').toString('base64')}`;
  let answers: Record<string, { status: number; body: string | Uint8Array }>;
  let provider: ReturnType<typeof createServer>;
  let base: string;

  beforeEach(async () => {
    answers = {};
    provider = createServer((request, response) => {
      const answer = answers[request.url ?? ''] ?? { status: 404, body: '' };
      response.writeHead(answer.status).end(answer.body);
    });
    await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done));
    base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    setConfig({ resend_inbound_webhook_secret: SECRET, resend_api_key: 're_test', resend_base_url: base });
    answers['/emails/receiving/em_1'] = {
      status: 200,
      body: JSON.stringify({ raw: { download_url: `${base}/raw/1` } }),
    };
    answers['/raw/1'] = { status: 200, body: readFixtureMail('channel-b-en-redirected') };
  });
  afterEach(() => new Promise<void>((done) => void provider.close(() => done())));

  function notice(body: object, sign = true): Request {
    const text = JSON.stringify(body);
    const timestamp = String(Math.floor(fakeClock.now().getTime() / 1000));
    const signature = createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64'))
      .update(`msg_1.${timestamp}.${text}`)
      .digest('base64');
    return new Request('http://localhost/api/inbound/resend', {
      method: 'POST',
      headers: { 'svix-id': 'msg_1', 'svix-timestamp': timestamp, 'svix-signature': `v1,${sign ? signature : 'AAAA'}` },
      body: text,
    });
  }
  const received = (to = forwarding_address) => ({
    type: 'email.received',
    data: { email_id: 'em_1', to: [`Host <${to}>`] },
  });

  it('fetches the message of a notice once, and ignores a repeated notice', async () => {
    const first = await receiveMailProviderNotification(notice(received()));
    expect([first.status, await first.json()]).toEqual([
      200,
      { results: [{ address: forwarding_address, outcome: 'applied' }] },
    ]);
    const second = await receiveMailProviderNotification(notice(received()));
    expect(await second.json()).toEqual({ results: [{ address: forwarding_address, outcome: 'duplicate' }] });
    expect(await listReservations()).toHaveLength(1);
  });

  it('rejects an unsigned notice, and ignores other kinds of notice and other domains’ mail', async () => {
    expect((await receiveMailProviderNotification(notice(received(), false))).status).toBe(401);
    expect((await receiveMailProviderNotification(notice({ type: 'email.sent', data: {} }))).status).toBe(200);
    expect((await receiveMailProviderNotification(notice(received('a@elsewhere.example')))).status).toBe(200);
    expect((await receiveMailProviderNotification(notice({ type: 'email.received', data: {} }))).status).toBe(400);
    expect(await listInboundMails()).toEqual([]);
  });

  it('returns 502 when the message cannot be fetched, so that the provider repeats the notice', async () => {
    answers['/raw/1'] = { status: 500, body: '' };
    expect((await receiveMailProviderNotification(notice(received()))).status).toBe(502);
    expect(await listInboundMails()).toEqual([]);
  });
});
