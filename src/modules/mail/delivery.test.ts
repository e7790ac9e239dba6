import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { sendMailAndRecordFailure } from '@/modules/reservations/mail-reports';
import { resendReservation, sendReservation } from '@/modules/reservations/send';
import { cancelReservation, createReservation } from '@/modules/reservations/service';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { suppressEmailAddress } from '@/testing/mail';
import { clearDatabase, insertTeam } from '@/testing/team';
import { decryptMailContent } from './content';
import { findDueMails, recoverUnfinishedMailAttempts, rescheduleMailsDatedByFastClock } from './delivery';
import { beginMailAttempt } from './queue.repository';
import { type OutgoingMail, queueMail } from './service';

/** A fake provider that honors idempotency keys and can be made to fail. */
interface Provider {
  base_url: string;
  /** The mails that were delivered, by idempotency key. */
  sent: Map<string, { id: string; to: string; subject: string }>;
  requests: number;
  failures: { status: number; body: object; headers?: Record<string, string> }[];
  /** Whether the provider accepts the mail and then drops the connection. */
  drop_answers: boolean;
  server: Server;
}

async function startProvider(): Promise<Provider> {
  const provider: Provider = {
    base_url: '',
    sent: new Map(),
    requests: 0,
    failures: [],
    drop_answers: false,
    server: createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        provider.requests += 1;
        const failure = provider.failures.shift();
        if (failure) {
          response.writeHead(failure.status, { 'Content-Type': 'application/json', ...failure.headers });
          return response.end(JSON.stringify(failure.body));
        }
        const key = String(request.headers['idempotency-key']);
        const { to, subject } = JSON.parse(body) as { to: string; subject: string };
        const known = provider.sent.get(key) ?? { id: `re_${provider.sent.size + 1}`, to, subject };
        provider.sent.set(key, known);
        if (provider.drop_answers) return request.socket.destroy();
        response.writeHead(200, { 'Content-Type': 'application/json' });
        return response.end(JSON.stringify({ id: known.id }));
      });
    }),
  };
  await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve));
  provider.base_url = `http://127.0.0.1:${(provider.server.address() as AddressInfo).port}`;
  return provider;
}

let provider: Provider;
let scope: Scope;
let time: FakeClock;
const MINUTE = 60_000;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  time = installFakeClock('2026-03-01T12:00:00.000Z');
  provider = await startProvider();
  setConfig({ resend_api_key: 're_test', resend_base_url: provider.base_url });
  scope = await insertTeam();
});
afterEach(async () => {
  provider.server.closeAllConnections();
  provider.server.close();
  setConfig({ resend_api_key: undefined, resend_base_url: undefined });
  setClock(null);
});

const queue = (mail: Partial<OutgoingMail> = {}, owner = scope) =>
  inTransaction(owner, () =>
    queueMail(owner, {
      template: 'packet',
      to: 'guest@example.com',
      subject: 'Hello',
      html: '<p>x</p>',
      text: 'x',
      ...mail,
    }),
  );
/** Makes one attempt to send each mail that is due. */
async function sendDueMail() {
  const due = await systemDb().mailMessage.findMany({
    where: { status: 'queued', due_at: { lte: time.now() } },
    orderBy: { due_at: 'asc' },
  });
  const made = [];
  for (const { id } of due) made.push(await sendMailAndRecordFailure(id, async () => null));
  return made;
}
/** Simulates a process that starts an attempt and crashes. */
async function beginAndDie() {
  for (const { id } of await mails()) await beginMailAttempt(id, time.now(), new Date(time.now().getTime() + MINUTE));
}
const mails = () => systemDb().mailMessage.findMany({ orderBy: { id: 'asc' } });
const error = (status: number, name: string, headers?: Record<string, string>) => ({
  status,
  body: { statusCode: status, name, message: `It is ${name}.` },
  headers,
});

describe('a mail to a guest that is not sent', () => {
  const sent = async () => {
    const property = await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }));
    const stay = { checkin_date: '2026-06-01', checkout_date: '2026-06-03', source: 'direct' as const };
    const guest = { guest_name: 'Ana', guest_email: 'Ana@example.com' };
    const { row } = await createReservation(scope, { property_id: property.id, ...guest, ...stay });
    await sendReservation(scope, row.id);
  };
  const fates = async () => {
    const entries = await systemDb().trailEntry.findMany({ where: { type: { startsWith: 'mail.' } } });
    return entries.map(({ type, data }) => [type, data]);
  };

  it('is recorded in the trail when its address is suppressed', async () => {
    await suppressEmailAddress('ana@example.com');
    await sent();
    await sendDueMail();
    const [mail] = await mails();
    expect(await fates()).toEqual([['mail.suppressed', { mail_id: mail?.id, kind: 'packet', to: 'Ana@example.com' }]]);
  });

  it('is recorded in the trail when the provider rejects it permanently', async () => {
    provider.failures.push(error(422, 'validation_error'));
    await sent();
    await sendDueMail();
    expect(await fates()).toMatchObject([
      ['mail.failed', { kind: 'packet', reason: 'validation_error: It is validation_error.' }],
    ]);
  });
});

describe('a link or a code in a stored mail', () => {
  const link = `https://h.example/sign/${'aB3_'.repeat(8)}`;
  const stored = async () => {
    const [row] = await mails();
    if (!row) throw new Error('No mail was kept.');
    return { row, content: decryptMailContent(row), bytes: Buffer.from(row.content ?? []).toString('latin1') };
  };

  it('is stored encrypted until the mail is sent, and masked afterwards', async () => {
    await queue({ html: `<a href="${link}">Sign</a>`, text: link });
    const waiting = await stored();
    expect(waiting.bytes).not.toContain('h.example');
    expect(waiting.content.text).toBe(link);
    await sendDueMail();
    const sent = await stored();
    expect(sent.row.status).toBe('sent');
    expect(sent.content.text).toBe('https://h.example/sign/••••••');
    expect(sent.content.html).not.toContain(link);
  });

  it('is masked in a mail that can never be sent', async () => {
    provider.failures.push({ status: 422, body: { name: 'validation_error', message: 'no', statusCode: 422 } });
    await queue({ text: link });
    await sendDueMail();
    const failed = await stored();
    expect(failed.row.status).toBe('failed');
    expect(failed.content.text).not.toContain(link);
  });

  it('is masked in the subject of a one-time code, and stored only while the code is valid', async () => {
    await queue({ template: 'one_time_code', subject: '048213 is your code', text: '048213', secret_minutes: 10 });
    const { row } = await stored();
    expect(row.subject).toBe('•••••• is your code');
    expect(row.content_until).toEqual(new Date(time.now().getTime() + 10 * MINUTE));
    await sendDueMail();
    expect([...provider.sent.values()][0]?.subject).toBe('048213 is your code');
  });
});

describe('queued mail', () => {
  it('is sent to the provider with its own id as the idempotency key', async () => {
    await queue();
    expect(await sendDueMail()).toEqual([{ outcome: 'sent' }]);
    const [mail] = await mails();
    expect(mail).toMatchObject({
      status: 'sent',
      provider_id: 're_1',
      sent_at: time.now(),
      attempts: 1,
    });
    expect([...provider.sent]).toEqual([[mail?.id, { id: 're_1', to: 'guest@example.com', subject: 'Hello' }]]);
    await sendDueMail();
    expect(provider.requests).toBe(1);
  });

  it('is retried with growing delays while the provider fails, and given up within a day', async () => {
    provider.failures = Array.from({ length: 20 }, () => error(500, 'internal_server_error'));
    await queue();
    let tries = 0;
    for (let step = 0; step < 24 * 60; step++) {
      const before = provider.requests;
      await sendDueMail();
      tries += provider.requests - before;
      const [mail] = await mails();
      if (mail?.status === 'failed') break;
      time.set(mail!.due_at);
    }
    const [mail] = await mails();
    expect(mail).toMatchObject({ status: 'failed', last_error: 'internal_server_error: It is internal_server_error.' });
    expect(tries).toBe(9);
    expect(time.now().getTime() - mail!.created_at.getTime()).toBeLessThan(23 * 60 * MINUTE);
  });

  it.each([
    ['a rejected payload', 'failed', error(422, 'validation_error')],
    ['a rate limit', 'queued', error(429, 'rate_limit_exceeded', { 'retry-after': '300' })],
    ['a key that the operator can fix', 'queued', error(403, 'restricted_api_key')],
    ['a concurrent request with the same key', 'queued', error(409, 'concurrent_idempotent_requests')],
    ['a key used for another mail', 'failed', error(409, 'invalid_idempotent_request')],
  ])('after %s is %s', async (_name, status, failure) => {
    provider.failures = [failure];
    await queue();
    await sendDueMail();
    const [mail] = await mails();
    expect(mail?.status).toBe(status);
    if (failure.headers?.['retry-after']) expect(mail?.due_at).toEqual(new Date(time.now().getTime() + 300_000));
  });

  it('is sent once even when the provider’s response is lost or the process dies before storing it', async () => {
    provider.drop_answers = true;
    await queue();
    await sendDueMail();
    expect((await mails())[0]).toMatchObject({ status: 'queued', attempts: 1 });
    provider.drop_answers = false;
    time.advance(MINUTE);
    // A process starts an attempt, sends the mail to the provider and crashes.
    await beginAndDie();
    await sendDueMail();
    expect(provider.requests).toBe(1);
    time.advance(MINUTE);
    await sendDueMail();
    expect(provider.sent.size).toBe(1);
    expect((await mails())[0]).toMatchObject({ status: 'sent', attempts: 3 });
  });

  it('is not retried once the provider has forgotten its key, but a mail never tried is sent', async () => {
    await queue({ to: 'maybe@example.com' });
    await beginAndDie();
    await queue({ to: 'never@example.com' });
    time.advance(3 * 24 * 60 * MINUTE);
    await sendDueMail();
    expect([...provider.sent.values()].map(({ to }) => to)).toEqual(['never@example.com']);
    expect((await mails()).find(({ to }) => to === 'maybe@example.com')).toMatchObject({ status: 'failed' });
  });

  it('that has become useless after days of downtime is dropped', async () => {
    for (const template of ['reminder_24h', 'reminder_2h', 'one_time_code', 'packet'])
      await queue({ template, subject: template });
    time.advance(2 * 24 * 60 * MINUTE);
    await sendDueMail();
    expect([...provider.sent.values()].map(({ subject }) => subject)).toEqual(['packet']);
    expect((await mails()).filter(({ status }) => status === 'failed')).toHaveLength(3);
  });

  it('whose link expired while it waited is not sent', async () => {
    const property = await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }));
    const stay = { property_id: property.id, guest_name: 'Ana', source: 'direct' as const };
    const dates = { checkin_date: '2026-06-01', checkout_date: '2026-06-03' };
    const ids: string[] = [];
    for (const name of ['kept', 'cancelled', 'resent']) {
      const { row } = await createReservation(scope, { ...stay, ...dates, guest_email: `${name}@example.com` });
      await sendReservation(scope, row.id);
      ids.push(row.id);
    }
    await cancelReservation(scope, ids[1]!);
    time.advance(MINUTE);
    await resendReservation(scope, ids[2]!);
    await sendDueMail();
    expect([...provider.sent.values()].map(({ to }) => to)).toEqual(['kept@example.com', 'resent@example.com']);
    expect((await mails()).filter(({ status }) => status === 'failed')).toHaveLength(2);
  });

  it('to a suppressed address is not sent, whatever its case', async () => {
    await suppressEmailAddress('guest@example.com');
    await queue({ to: 'Guest@Example.com' });
    await sendDueMail();
    expect(provider.requests).toBe(0);
    expect((await mails())[0]?.status).toBe('suppressed');
  });

  it('is sent once even by concurrent workers', async () => {
    for (let index = 0; index < 12; index++) await queue({ to: `guest${index}@example.com` });
    await Promise.all([sendDueMail(), sendDueMail(), sendDueMail()]);
    expect(provider.requests).toBe(12);
    expect(provider.sent.size).toBe(12);
  });
});

describe('the next attempt at a mail', () => {
  const send = async () => sendMailAndRecordFailure((await mails())[0]!.id, async () => null);

  it('is due at once when the only process died during an attempt, and otherwise after its lease', async () => {
    await queue();
    await beginAndDie();
    expect(await findDueMails()).toEqual([]);
    await recoverUnfinishedMailAttempts();
    expect(await findDueMails()).toHaveLength(1);
    await beginAndDie();
    time.advance(MINUTE);
    expect(await findDueMails()).toHaveLength(1);
    expect(await sendDueMail()).toEqual([{ outcome: 'sent' }]);
  });

  it('waits while another process attempts the mail, and is made if that attempt never ends', async () => {
    await queue();
    await beginAndDie();
    const retry_at = new Date(time.now().getTime() + MINUTE);
    expect(await send()).toEqual({ outcome: 'retry', reason: 'It is due later.', retry_at });
    expect(provider.requests).toBe(0);
    time.set(retry_at);
    expect(await send()).toEqual({ outcome: 'sent' });
  });

  it('waits for its time when the process died before the engine stored the last outcome', async () => {
    provider.failures.push({ status: 503, body: { name: 'application_error', message: 'away' } });
    await queue();
    expect(await send()).toMatchObject({ outcome: 'retry' });
    const [{ due_at } = { due_at: null }] = await mails();
    // The engine did not receive the outcome, so it runs the mail again at once.
    expect(await send()).toEqual({ outcome: 'retry', reason: 'It is due later.', retry_at: due_at });
    await recoverUnfinishedMailAttempts();
    expect(provider.requests).toBe(1);
    expect(await findDueMails()).toEqual([]);
    time.set(due_at!);
    expect(await send()).toEqual({ outcome: 'sent' });
    expect(await send()).toEqual({ outcome: 'not_due' });
  });

  it('is due even if a clock that was hours ahead had postponed it', async () => {
    time.advance(300 * MINUTE);
    await queue({ to: 'tried@example.com' });
    provider.failures.push({ status: 500, body: { message: 'away' } });
    expect(await sendDueMail()).toMatchObject([{ outcome: 'retry' }]);
    time.advance(-300 * MINUTE);
    expect(await findDueMails()).toEqual([]);
    await rescheduleMailsDatedByFastClock();
    expect(await findDueMails()).toHaveLength(1);
    expect(await sendDueMail()).toEqual([{ outcome: 'sent' }]);
  });

  it('is due a little later when the clock was set back during an attempt', async () => {
    time.advance(300 * MINUTE);
    await queue();
    await beginAndDie();
    time.advance(-300 * MINUTE);
    await rescheduleMailsDatedByFastClock();
    expect(await findDueMails()).toEqual([]);
    time.advance(30_000);
    expect(await findDueMails()).toHaveLength(1);
  });
});

describe('captured mail', () => {
  it('in test mode or without a provider is never sent', async () => {
    await queue({}, { ...scope, mode: 'test' });
    setConfig({ resend_api_key: undefined });
    await queue();
    setConfig({ resend_api_key: 're_test' });
    await sendDueMail();
    expect((await mails()).map(({ status }) => status)).toEqual(['captured', 'captured']);
    expect(provider.requests).toBe(0);
  });
});
