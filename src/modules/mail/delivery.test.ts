import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { sendMail } from '@/modules/reservations/mail-reports';
import { resendReservation, sendReservation } from '@/modules/reservations/send';
import { cancelReservation, createReservation } from '@/modules/reservations/service';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { emptyDatabase, insertTeam } from '@/testing/team';
import { openContent } from './content';
import { askForMail, freeHeldMail, pullBackMail } from './delivery';
import { claimMail } from './queue.repository';
import { type OutgoingMail, queueMail } from './service';

/** A provider that keeps its promise about idempotency keys, and fails as it is told. */
interface Provider {
  base_url: string;
  /** Mails by idempotency key: what really went out. */
  sent: Map<string, { id: string; to: string; subject: string }>;
  requests: number;
  failures: { status: number; body: object; headers?: Record<string, string> }[];
  /** Takes the mail, then breaks the connection. */
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
  await emptyDatabase();
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
/** An attempt of each mail that is due. */
async function sendDueMail() {
  const due = await systemDb().mailMessage.findMany({
    where: { status: 'queued', due_at: { lte: time.now() } },
    orderBy: { due_at: 'asc' },
  });
  const made = [];
  for (const { id } of due) made.push(await sendMail(id, async () => null));
  return made;
}
/** A process takes it in hand, and is never heard of again. */
async function claimAndDie() {
  for (const { id } of await mails())
    await claimMail(id, time.now(), new Date(time.now().getTime() + MINUTE), 'dead:1');
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

  it('is an entry of the trail: the address is suppressed', async () => {
    await systemDb().mailSuppression.create({
      data: { email: 'ana@example.com', reason: 'bounced', created_at: time.now() },
    });
    await sent();
    await sendDueMail();
    const [mail] = await mails();
    expect(await fates()).toEqual([['mail.suppressed', { mail_id: mail?.id, kind: 'packet', to: 'Ana@example.com' }]]);
  });

  it('is an entry of the trail: the provider refuses it for good', async () => {
    provider.failures.push(error(422, 'validation_error'));
    await sent();
    await sendDueMail();
    expect(await fates()).toMatchObject([
      ['mail.failed', { kind: 'packet', reason: 'validation_error: It is validation_error.' }],
    ]);
  });
});

describe('what opens something', () => {
  const link = `https://h.example/sign/${'aB3_'.repeat(8)}`;
  const stored = async () => {
    const [row] = await mails();
    if (!row) throw new Error('No mail was kept.');
    return { row, content: openContent(row), bytes: Buffer.from(row.content ?? []).toString('latin1') };
  };

  it('is kept encrypted until the mail is sent, and not at all afterwards', async () => {
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

  it('is not kept of a mail that can never be sent', async () => {
    provider.failures.push({ status: 422, body: { name: 'validation_error', message: 'no', statusCode: 422 } });
    await queue({ text: link });
    await sendDueMail();
    const failed = await stored();
    expect(failed.row.status).toBe('failed');
    expect(failed.content.text).not.toContain(link);
  });

  it('of a code stands in no kept subject, and goes when the code is over', async () => {
    await queue({ template: 'one_time_code', subject: '048213 is your code', text: '048213', secret_minutes: 10 });
    const { row } = await stored();
    expect(row.subject).toBe('•••••• is your code');
    expect(row.content_until).toEqual(new Date(time.now().getTime() + 10 * MINUTE));
    await sendDueMail();
    expect([...provider.sent.values()][0]?.subject).toBe('048213 is your code');
  });
});

describe('queued mail', () => {
  it('goes to the provider with its own id as the idempotency key', async () => {
    await queue();
    expect(await sendDueMail()).toEqual([{ outcome: 'sent' }]);
    const [mail] = await mails();
    expect(mail).toMatchObject({
      status: 'sent',
      provider_id: 're_1',
      sent_at: time.now(),
      attempts: 1,
      lease_until: null,
    });
    expect([...provider.sent]).toEqual([[mail?.id, { id: 're_1', to: 'guest@example.com', subject: 'Hello' }]]);
    await sendDueMail();
    expect(provider.requests).toBe(1);
  });

  it('is tried again with growing pauses while the provider fails, and given up within a day', async () => {
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
    ['a refused payload', 'failed', error(422, 'validation_error')],
    ['a rate limit', 'queued', error(429, 'rate_limit_exceeded', { 'retry-after': '300' })],
    ['a key that configuration can mend', 'queued', error(403, 'restricted_api_key')],
    ['the same request still under way', 'queued', error(409, 'concurrent_idempotent_requests')],
    ['a key used for another mail', 'failed', error(409, 'invalid_idempotent_request')],
  ])('after %s is %s', async (_name, status, failure) => {
    provider.failures = [failure];
    await queue();
    await sendDueMail();
    const [mail] = await mails();
    expect(mail?.status).toBe(status);
    if (failure.headers?.['retry-after']) expect(mail?.due_at).toEqual(new Date(time.now().getTime() + 300_000));
  });

  it('reaches nobody twice when the answer is lost, or the process dies before it is stored', async () => {
    provider.drop_answers = true;
    await queue();
    await sendDueMail();
    expect((await mails())[0]).toMatchObject({ status: 'queued', attempts: 1 });
    provider.drop_answers = false;
    time.advance(MINUTE);
    // A process claims it, hands it over and dies.
    await claimAndDie();
    await sendDueMail();
    expect(provider.requests).toBe(1);
    time.advance(MINUTE);
    await sendDueMail();
    expect(provider.sent.size).toBe(1);
    expect((await mails())[0]).toMatchObject({ status: 'sent', attempts: 3 });
  });

  it('whose first attempt lies beyond the provider’s memory is not sent again; one never tried is', async () => {
    await queue({ to: 'maybe@example.com' });
    await claimAndDie();
    await queue({ to: 'never@example.com' });
    time.advance(3 * 24 * 60 * MINUTE);
    await sendDueMail();
    expect([...provider.sent.values()].map(({ to }) => to)).toEqual(['never@example.com']);
    expect((await mails()).find(({ to }) => to === 'maybe@example.com')).toMatchObject({ status: 'failed' });
  });

  it('that has lost its meaning after days of downtime is dropped', async () => {
    for (const template of ['reminder_24h', 'reminder_2h', 'one_time_code', 'packet'])
      await queue({ template, subject: template });
    time.advance(2 * 24 * 60 * MINUTE);
    await sendDueMail();
    expect([...provider.sent.values()].map(({ subject }) => subject)).toEqual(['packet']);
    expect((await mails()).filter(({ status }) => status === 'failed')).toHaveLength(3);
  });

  it('whose link died while it waited is not sent', async () => {
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
    await systemDb().mailSuppression.create({
      data: { email: 'guest@example.com', reason: 'bounced', created_at: time.now() },
    });
    await queue({ to: 'Guest@Example.com' });
    await sendDueMail();
    expect(provider.requests).toBe(0);
    expect((await mails())[0]?.status).toBe('suppressed');
  });

  it('is shared out among workers', async () => {
    for (let index = 0; index < 12; index++) await queue({ to: `guest${index}@example.com` });
    await Promise.all([sendDueMail(), sendDueMail(), sendDueMail()]);
    expect(provider.requests).toBe(12);
    expect(provider.sent.size).toBe(12);
  });
});

describe('a run for each mail', () => {
  async function asked() {
    const found: string[] = [];
    await askForMail(async (waiting) => void found.push(...waiting.map(({ mail_id }) => mail_id)));
    return found;
  }

  it('is asked for once, however many there are, and again when it came to nothing', async () => {
    for (let index = 0; index < 450; index++) await queue({ to: `guest${index}@example.com` });
    expect(new Set(await asked()).size).toBe(450);
    expect(await asked()).toEqual([]);
    time.advance(5 * MINUTE);
    expect(await asked()).toHaveLength(450);
  });

  it('is asked for again when whoever asked died before it was noted', async () => {
    await queue();
    await expect(askForMail(() => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
    expect(await asked()).toHaveLength(1);
  });

  it('is asked for at once when a process died with the mail in hand', async () => {
    await queue();
    await asked();
    await claimAndDie();
    expect(await asked()).toEqual([]);
    await freeHeldMail();
    expect(await asked()).toHaveLength(1);
    expect(await sendDueMail()).toEqual([{ outcome: 'sent' }]);
  });

  it('is waited for by the run of a process that died between the row and the engine', async () => {
    provider.failures.push({ status: 503, body: { name: 'application_error', message: 'away' } });
    await queue();
    const { id } = await systemDb().mailMessage.findFirstOrThrow();
    const made = await sendMail(id, async () => null);
    expect(made).toMatchObject({ outcome: 'retry' });
    const { due_at } = await systemDb().mailMessage.findUniqueOrThrow({ where: { id } });
    // The engine does not know of it, and runs it again at once.
    expect(await sendMail(id, async () => null)).toEqual({
      outcome: 'retry',
      reason: 'It is due later.',
      retry_at: due_at,
    });
    expect(provider.requests).toBe(1);
    time.advance(due_at.getTime() - time.now().getTime());
    expect(await sendMail(id, async () => null)).toEqual({ outcome: 'sent' });
    expect(await sendMail(id, async () => null)).toEqual({ outcome: 'not_due' });
  });

  it('is asked for when the clock that put it off was hours ahead', async () => {
    time.advance(300 * MINUTE);
    await queue();
    provider.failures.push({ status: 500, body: { message: 'away' } });
    await asked();
    expect(await sendDueMail()).toMatchObject([{ outcome: 'retry' }]);
    time.advance(-300 * MINUTE);
    expect(await asked()).toEqual([]);
    await pullBackMail();
    expect(await asked()).toHaveLength(1);
    expect(await sendDueMail()).toEqual([{ outcome: 'sent' }]);
  });
});

describe('captured mail', () => {
  it('of test mode, or without a provider, never leaves', async () => {
    await queue({}, { ...scope, mode: 'test' });
    setConfig({ resend_api_key: undefined });
    await queue();
    setConfig({ resend_api_key: 're_test' });
    await sendDueMail();
    expect((await mails()).map(({ status }) => status)).toEqual(['captured', 'captured']);
    expect(provider.requests).toBe(0);
  });
});
