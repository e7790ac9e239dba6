import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { HostReservationListQuery } from '@/modules/reservations/host.schemas';
import { listReservationsForHost, retrieveReservationForHost } from '@/modules/reservations/host.service';
import {
  processMailProviderReport,
  recordTrackingPixelRequest,
  sendMailAndRecordFailure,
} from '@/modules/reservations/mail-reports';
import { resendReservation, sendReservation } from '@/modules/reservations/send';
import { cancelReservation, createReservation } from '@/modules/reservations/service';
import { verifyTrailChain } from '@/modules/trail/chain';
import { convertRowToChainedTrailEntry } from '@/modules/trail/service';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readLastOutboundMail } from '@/testing/mail';
import { clearDatabase, insertTeam } from '@/testing/team';
import { hashSuppressedEmailAddress } from './repository';

const KEY = Buffer.from('a provider secret of some length');
const SECRET = `whsec_${KEY.toString('base64')}`;
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15';
let scope: Scope;
let time: FakeClock;
let reservation_id: string;
let token: string;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  time = installFakeClock('2026-03-01T12:00:00.000Z');
  // With a provider configured, the mail is queued instead of captured.
  setConfig({ resend_webhook_secret: SECRET, resend_api_key: 're_test' });
  scope = await insertTeam();
  const property = await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }));
  const { row } = await createReservation(scope, {
    property_id: property.id,
    guest_name: 'Ana',
    guest_email: 'ana@example.com',
    checkin_date: '2026-06-01',
    checkout_date: '2026-06-03',
    source: 'direct',
  });
  reservation_id = row.id;
  await sendReservation(scope, row.id);
  const mail = await readLastOutboundMail();
  token = /\/o\/([\w-]+)\.gif/.exec(mail.html)?.[1] ?? '';
  await systemDb().mailMessage.update({ where: { id: mail.id }, data: { status: 'sent', provider_id: 're_1' } });
});
afterEach(() => {
  setClock(null);
  setConfig({ resend_webhook_secret: undefined });
});

function signed(id: string, payload: unknown, at = time.now()) {
  const body = JSON.stringify(payload);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`).digest('base64');
  const values: Record<string, string> = {
    'svix-id': id,
    'svix-timestamp': timestamp,
    'svix-signature': `v1,bm90IGl0 v1,${signature}`,
  };
  return { headers: { get: (name: string) => values[name] ?? null }, body };
}

const report = (type: string, data: object = {}) => ({
  type,
  data: { email_id: 're_1', to: ['ana@example.com'], ...data },
});
const status = async () => (await systemDb().reservation.findUniqueOrThrow({ where: { id: reservation_id } })).status;
const mail = () => systemDb().mailMessage.findFirstOrThrow();
const suppressions = () =>
  systemDb().mailSuppression.findMany({ orderBy: { reason: 'asc' }, select: { email: true, reason: true } });
const trail = async () => (await systemDb().trailEntry.findMany({ orderBy: { seq: 'asc' } })).map(({ type }) => type);

describe('a report from the provider', () => {
  it('of an opened mail moves the reservation to opened, once', async () => {
    const request = signed('msg_1', report('email.opened'));
    expect(await processMailProviderReport(request)).toBe(200);
    expect(await processMailProviderReport(request)).toBe(200);
    await processMailProviderReport(signed('msg_2', report('email.opened')));
    expect(await status()).toBe('opened');
    expect((await mail()).opened_at).toEqual(time.now());
    expect(await trail()).toEqual(['reservation.created', 'reservation.sent', 'reservation.opened']);
    expect(await systemDb().event.count({ where: { type: { contains: 'opened' } } })).toBe(0);
  });

  it.each([
    ['half of a surrogate pair at the cut', `${'a'.repeat(499)}😀`],
    ['half of a surrogate pair before the cut', `Bad\ud800 user ${'a'.repeat(500)}`],
    ['NUL', 'No\u0000 such user'],
  ])('of a bounce whose text contains %s is stored', async (_what, message) => {
    expect(await processMailProviderReport(signed('msg_1', report('email.bounced', { bounce: { message } })))).toBe(
      200,
    );
    expect(await trail()).toContain('mail.bounced');
    expect((await mail()).last_error).toMatch(/^Bounced: \S/);
  });

  it('of a bounce or a complaint suppresses the address, but of a full mailbox does not', async () => {
    await processMailProviderReport(signed('msg_1', report('email.bounced', { bounce: { type: 'Transient' } })));
    expect(await suppressions()).toEqual([]);
    await processMailProviderReport(
      signed(
        'msg_2',
        report('email.bounced', {
          to: ['Ana <ANA@example.com>'],
          bounce: { type: 'Permanent', message: 'No such user' },
        }),
      ),
    );
    await processMailProviderReport(signed('msg_3', report('email.complained', { to: 'bob@example.com' })));
    await processMailProviderReport(signed('msg_4', report('email.complained')));
    expect(await suppressions()).toEqual([
      { email: hashSuppressedEmailAddress('ana@example.com'), reason: 'bounced' },
      { email: hashSuppressedEmailAddress('Bob@example.com'), reason: 'complained' },
    ]);
    expect(await mail()).toMatchObject({ status: 'failed' });
  });

  it('is recorded in the trail once for each mail and outcome, with kind and recipient', async () => {
    const before = await trail();
    const bounce = { bounce: { type: 'Permanent', message: 'No such user' } };
    for (const [at, [type, data]] of (
      [
        ['email.delivered', {}],
        ['email.delivered', {}],
        ['email.bounced', bounce],
        ['email.bounced', bounce],
        ['email.complained', {}],
        ['email.failed', {}],
        ['email.suppressed', {}],
        ['email.delivered', { email_id: 're_other' }],
      ] as [string, object][]
    ).entries())
      await processMailProviderReport(signed(`msg_${at}`, report(type, data)));
    const entries = await systemDb().trailEntry.findMany({ orderBy: { seq: 'asc' } });
    const { id } = await mail();
    const about = { mail_id: id, kind: 'packet', to: 'ana@example.com' };
    expect(entries.slice(before.length).map(({ type, data }) => [type, data])).toEqual([
      ['mail.delivered', about],
      ['mail.bounced', { ...about, reason: 'No such user' }],
      ['mail.complained', about],
      ['mail.failed', about],
      ['mail.suppressed', about],
    ]);
    expect(entries.find(({ type }) => type === 'reservation.sent')?.data).toEqual(about);
    expect(verifyTrailChain(entries.map(convertRowToChainedTrailEntry))).toMatchObject({ ok: true });
  });

  it('of a bounce is shown with the reservation’s status, and a resend to that address is refused', async () => {
    expect((await retrieveReservationForHost(scope, reservation_id)).mail_problem).toBeNull();
    await processMailProviderReport(
      signed('msg_1', report('email.bounced', { bounce: { type: 'Permanent', message: 'No such user' } })),
    );
    const problem = { status: 'failed', reason: 'Bounced: No such user' };
    expect(await retrieveReservationForHost(scope, reservation_id)).toMatchObject({
      status: 'sent',
      mail_problem: problem,
    });
    const { data } = await listReservationsForHost(scope, HostReservationListQuery.parse({}));
    expect(data).toMatchObject([{ id: reservation_id, mail_problem: problem }]);
    await expect(resendReservation(scope, reservation_id)).rejects.toMatchObject({ code: 'address_suppressed' });
    expect(await systemDb().mailMessage.count()).toBe(1);
  });

  it('is not needed for the host to see that a mail without a provider was not sent', async () => {
    await systemDb().mailMessage.updateMany({ data: { status: 'captured' } });
    const problem = { status: 'captured', reason: null };
    expect(await retrieveReservationForHost(scope, reservation_id)).toMatchObject({
      status: 'sent',
      mail_problem: problem,
    });
    const { data } = await listReservationsForHost(scope, HostReservationListQuery.parse({}));
    expect(data).toMatchObject([{ id: reservation_id, mail_problem: problem }]);
  });

  it('about a redacted guest is recorded without the address', async () => {
    await systemDb().reservation.update({ where: { id: reservation_id }, data: { redacted: true } });
    await processMailProviderReport(
      signed('msg_1', report('email.bounced', { bounce: { message: 'ana@example.com?' } })),
    );
    const entry = await systemDb().trailEntry.findFirstOrThrow({ where: { type: 'mail.bounced' } });
    expect(entry.data).toEqual({ mail_id: (await mail()).id, kind: 'packet' });
  });

  it('that arrives before the mail’s provider id is known gets 503, and is accepted when repeated', async () => {
    await systemDb().mailMessage.updateMany({ data: { status: 'queued', provider_id: null, due_at: time.now() } });
    const delivered = signed('msg_1', report('email.delivered', { email_id: 're_9', to: ['Ana <ANA@example.com>'] }));
    const answers: number[] = [];
    const provider = createServer(async (_request, response) => {
      answers.push(await processMailProviderReport(delivered));
      answers.push(
        await processMailProviderReport(signed('msg_2', report('email.delivered', { to: ['bob@example.com'] }))),
      );
      answers.push(await processMailProviderReport(signed('msg_3', { type: 'email.delivered', data: {} })));
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":"re_9"}');
    });
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
    setConfig({ resend_base_url: `http://127.0.0.1:${(provider.address() as AddressInfo).port}` });
    try {
      expect(await sendMailAndRecordFailure((await mail()).id, async () => null)).toEqual({ outcome: 'sent' });
    } finally {
      setConfig({ resend_base_url: undefined });
      provider.closeAllConnections();
      provider.close();
    }
    expect(answers).toEqual([503, 200, 200]);
    expect(await trail()).not.toContain('mail.delivered');
    expect(await processMailProviderReport(delivered)).toBe(200);
    expect(await trail()).toContain('mail.delivered');
    // No mail to this address is waiting for its provider id any more, so a report about an unknown
    // id is acknowledged. The provider need not repeat it.
    expect(await processMailProviderReport(signed('msg_4', report('email.delivered', { email_id: 're_8' })))).toBe(200);
  });

  it('about an unknown mail or of an irrelevant kind is accepted and changes nothing', async () => {
    expect(await processMailProviderReport(signed('msg_1', report('email.opened', { email_id: 're_other' })))).toBe(
      200,
    );
    expect(await processMailProviderReport(signed('msg_2', report('email.delivered')))).toBe(200);
    expect(await processMailProviderReport(signed('msg_3', { type: 'domain.updated', data: {} }))).toBe(200);
    expect(await status()).toBe('sent');
  });

  it('about a cancelled reservation changes nothing', async () => {
    await cancelReservation(scope, reservation_id);
    expect(await processMailProviderReport(signed('msg_1', report('email.opened')))).toBe(200);
    expect(await status()).toBe('ignored');
  });

  it('is rejected when unsigned, old, changed or malformed, or when no secret is configured', async () => {
    const good = signed('msg_1', report('email.opened'));
    expect(await processMailProviderReport({ ...good, headers: { get: () => null } })).toBe(401);
    expect(await processMailProviderReport({ ...good, body: `${good.body} ` })).toBe(401);
    expect(await processMailProviderReport(signed('msg_2', {}, new Date(time.now().getTime() - 301_000)))).toBe(401);
    expect(await processMailProviderReport(signed('msg_3', { nothing: true }))).toBe(400);
    setConfig({ resend_webhook_secret: undefined });
    expect(await processMailProviderReport(good)).toBe(404);
    expect(await status()).toBe('sent');
  });
});

it('a resend checks its address even inside a transaction that may be repeated', async () => {
  const resent = await inTransaction(scope, () => resendReservation(scope, reservation_id));
  expect(resent.row.status).toBe('sent');
});

describe('the open pixel', () => {
  it('in a mail moves the reservation to opened', async () => {
    await recordTrackingPixelRequest(token, { method: 'GET', user_agent: PHONE, purpose: null });
    expect(await status()).toBe('opened');
  });

  it('with an unknown token changes nothing', async () => {
    await recordTrackingPixelRequest('nonsense', { method: 'GET', user_agent: PHONE, purpose: null });
    expect(await status()).toBe('sent');
  });

  it('fetched by a scanner changes nothing', async () => {
    await recordTrackingPixelRequest(token, { method: 'GET', user_agent: 'Barracuda Sentinel (EE)', purpose: null });
    expect(await status()).toBe('sent');
  });
});
