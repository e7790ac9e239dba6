/**
 * Members' browsers are notified of guests' messages. Notifications are encrypted for the browser,
 * and a member who left receives none.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { insertSentReservation } from '@/modules/certificates/testing/signed';
import { recordGuestReply } from '@/modules/signing/reply';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { sendPushNotification } from './delivery';
import { buildPushNotificationText } from './notice.rules';
import { disablePushNotifications, enablePushNotifications, getPushNotificationStatus } from './service';
import { startTestPushService, type TestPushService } from './testing/push-service';

const DAY_MS = 86_400_000;
let time: FakeClock;
let host: Scope;
let service: TestPushService;
let reservation_id: string;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  setConfig({ outbound_allow_loopback: true });
  time = installFakeClock('2026-03-01T12:00:00.000Z');
  service = await startTestPushService();
  host = await insertTeam();
  reservation_id = (await insertSentReservation(host)).reservation_id;
});
afterEach(async () => {
  await service.close();
  setClock(null);
});

/** Creates a session of the team's owner. */
async function signIn(session_id: string, team: Scope = host) {
  const member = await systemDb().member.findFirstOrThrow({ where: { organizationId: team.team_id } });
  const expiresAt = new Date(time.now().getTime() + 7 * DAY_MS);
  const session = { id: session_id, token: session_id, userId: member.userId, expiresAt, updatedAt: time.now() };
  await systemDb().session.create({ data: session });
  return { id: member.userId, session_id };
}

/** Signs in with a browser and turns its notifications on. */
async function subscribe(name: string, team: Scope = host) {
  const user = await signIn(`sess_${name}`, team);
  const { public_key } = await getPushNotificationStatus(team, user);
  expect(await enablePushNotifications(team, user, service.subscribe(name, public_key))).toMatchObject({ on: true });
  return user;
}

const say = (kind: 'question' | 'declined' = 'question', scope = host) =>
  recordGuestReply({ ...scope, actor: { kind: 'guest' } }, reservation_id, {
    kind,
    message: 'Where may I park my car?',
    origin: { ip: '203.0.113.7', user_agent: 'Mozilla/5.0' },
  });
const notices = () => systemDb().pushNotice.findMany({ orderBy: { created_at: 'asc' } });
async function send() {
  const [notice] = await notices();
  return sendPushNotification(notice?.id ?? 'none');
}
const browsers = () => service.received.map(({ browser }) => browser).sort();

it('a guest’s question reaches every subscribed browser, encrypted on the way', async () => {
  await subscribe('laptop');
  await subscribe('phone');
  await say();
  expect(await send()).toEqual({ outcome: 'told', browsers: 2 });
  expect(browsers()).toEqual(['laptop', 'phone']);
  const { headers, body, text } = service.received[0]!;
  expect(JSON.parse(text)).toEqual({
    title: 'Ada has a question',
    body: 'Harbour Loft',
    path: `/reservations/${reservation_id}`,
  });
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' });
  expect(headers.topic).toMatch(/^[\w-]{1,32}$/);
  expect(body.toString('latin1')).not.toMatch(/Ada|Harbour/);
  expect(await notices()).toEqual([]);
});

it('a notification is in the reader’s language, with the guest’s first name only', async () => {
  await subscribe('phone');
  await systemDb().user.updateMany({ data: { locale: 'de' } });
  await say('declined');
  await send();
  expect(JSON.parse(service.received[0]?.text ?? '')).toMatchObject({ title: 'Ada ist nicht einverstanden' });
  expect(service.received[0]?.text).not.toMatch(/Lovelace|park/);
  const about = { kind: 'question', reservation_id: 'res_1', property_name: 'Casa' } as const;
  expect(buildPushNotificationText({ ...about, guest_name: ` ${'é'.repeat(200)} x` }, 'fr').title).toBe(
    `${'é'.repeat(40)} a une question`,
  );
});

it.each([
  ['an owner', 'owner', 1],
  ['a co-host without the property', 'co_host', 0],
  ['a co-host of the property', 'co_host', 1],
  ['a developer', 'developer', 0],
  ['a developer who was granted guests', 'developer', 1],
])('%s with notifications enabled receives as many as the role permits: $2', async (who, role, told) => {
  await subscribe('phone');
  const member = await systemDb().member.findFirstOrThrow({ where: { organizationId: host.team_id } });
  await systemDb().member.update({
    where: { id: member.id },
    data: { role, sees_guests: who.endsWith('granted guests') },
  });
  const { property_id } = await systemDb().reservation.findUniqueOrThrow({ where: { id: reservation_id } });
  const { team_id, mode } = host;
  if (who.endsWith('of the property'))
    await systemDb().memberProperty.create({ data: { member_id: member.id, property_id, team_id, mode } });
  await say();
  await send();
  expect(browsers()).toHaveLength(told);
});

it.each([
  ['a second factor', { require_second_factor: true }, 'password', 0],
  ['a second factor', { require_second_factor: true }, 'password_and_factor', 1],
  ['a second factor', { require_second_factor: true }, 'passkey', 1],
  ['single sign-on', { require_company_account: true }, 'passkey', 0],
  ['single sign-on', { require_company_account: true }, 'company_account', 1],
])(
  'in a team that requires %s (%o), a session authenticated by %s has %i browsers notified',
  async (_what, rules, by, told) => {
    await subscribe('phone');
    await systemDb().team.update({ where: { id: host.team_id }, data: rules });
    await systemDb().session.updateMany({ data: { signedInWith: by } });
    await systemDb().user.updateMany({ data: { twoFactorEnabled: true } });
    await say();
    await send();
    expect(browsers()).toHaveLength(told);
  },
);

it('a browser subscribed several times at once is notified once', async () => {
  const user = await signIn('sess_twice');
  const { public_key } = await getPushNotificationStatus(host, user);
  const browser = service.subscribe('twice', public_key);
  for (const on of await Promise.all(Array.from({ length: 6 }, () => enablePushNotifications(host, user, browser)))) {
    expect(on).toMatchObject({ on: true });
  }
  await say();
  expect(await send()).toEqual({ outcome: 'told', browsers: 1 });
});

describe('the recipients of a notification', () => {
  it('exclude members who signed out, left the team, disabled it or whose session expired', async () => {
    await subscribe('signed-out');
    await systemDb().session.delete({ where: { id: 'sess_signed-out' } });
    await disablePushNotifications(host, await subscribe('off'));
    await subscribe('run-out');
    const expiresAt = new Date(time.now().getTime() - 1);
    await systemDb().session.update({ where: { id: 'sess_run-out' }, data: { expiresAt } });
    await say();
    expect(await send()).toEqual({ outcome: 'told', browsers: 0 });
    await subscribe('left');
    await systemDb().member.deleteMany({ where: { organizationId: host.team_id } });
    expect(await systemDb().pushSubscription.count({ where: { session_id: 'sess_left' } })).toBe(0);
    expect(browsers()).toEqual([]);
  });

  it('exclude other teams, and in test mode there are none', async () => {
    const other = await insertTeam('live', 'other@example.com');
    await subscribe('theirs', other);
    await say();
    expect(await send()).toEqual({ outcome: 'told', browsers: 0 });
    const test = { ...host, mode: 'test' as const };
    reservation_id = (await insertSentReservation(test)).reservation_id;
    await say('question', test);
    expect(await notices()).toEqual([]);
  });

  it('change when another member signs in in the same browser', async () => {
    const mine = await subscribe('shared');
    const other = await insertTeam('live', 'other@example.com');
    const theirs = await signIn('sess_theirs', other);
    const { public_key } = await getPushNotificationStatus(other, theirs);
    await enablePushNotifications(other, theirs, service.subscribe('shared', public_key));
    expect(await getPushNotificationStatus(host, mine)).toMatchObject({ on: false });
    expect(await getPushNotificationStatus(other, theirs)).toMatchObject({ on: true });
  });
});

describe('a push service', () => {
  it.each([404, 410])(
    'that answers %i has its subscription deleted, and the other browsers are notified',
    async (status) => {
      await subscribe('old');
      await subscribe('new');
      service.answer = (browser) => (browser === 'old' ? status : 201);
      await say();
      expect(await send()).toEqual({ outcome: 'told', browsers: 1 });
      expect(await systemDb().pushSubscription.findMany({ select: { session_id: true } })).toEqual([
        { session_id: 'sess_new' },
      ]);
    },
  );

  it('that fails is retried at the time it requests, for a day, and no browser is notified twice', async () => {
    await subscribe('fine');
    await subscribe('broken');
    service.answer = (browser) => (browser === 'broken' ? 503 : 201);
    await say();
    const retry_at = new Date(time.now().getTime() + 60_000);
    expect(await send()).toMatchObject({ outcome: 'retry', reason: 'The push service answered 503.', retry_at });
    expect(await send()).toMatchObject({ outcome: 'retry', retry_at });
    time.set(retry_at);
    service.answer = () => 201;
    expect(await send()).toEqual({ outcome: 'told', browsers: 1 });
    expect(browsers()).toEqual(['broken', 'fine']);
    expect(service.received[1]?.headers.ttl).toBe(String(86_400 - 60));
    await say();
    time.advance(DAY_MS);
    expect(await send()).toEqual({ outcome: 'too_late' });
    expect(await notices()).toEqual([]);
  });

  it('cannot have an address in the internal network', async () => {
    const user = await subscribe('inside');
    const keys = service.subscribe('again', (await getPushNotificationStatus(host, user)).public_key);
    await enablePushNotifications(host, user, { ...keys, endpoint: keys.endpoint.replace('http:', 'https:') });
    setConfig({ outbound_allow_loopback: false });
    for (const endpoint of ['https://10.0.0.1/push', 'https://push.internal/x', keys.endpoint])
      await expect(enablePushNotifications(host, user, { ...keys, endpoint })).rejects.toMatchObject({
        param: 'endpoint',
      });
    await say();
    await send();
    expect(await systemDb().pushSubscription.count()).toBe(0);
    expect(service.received).toEqual([]);
  });
});

it('the installation’s push key is created once, stored encrypted, and overridden by a configured key', async () => {
  const user = await subscribe('phone');
  const { public_key } = await getPushNotificationStatus(host, user);
  expect(Buffer.from(public_key, 'base64url')).toHaveLength(65);
  expect(await getPushNotificationStatus(host, user)).toEqual({ on: true, public_key });
  const [kept] = await systemDb().installationKey.findMany({ where: { name: 'push' } });
  expect(kept?.secret).toMatch(/^v1\./);
  expect(kept?.public_pem).toContain('BEGIN PUBLIC KEY');
  setConfig({ vapid_private_key: 'AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE' });
  expect((await getPushNotificationStatus(host, user)).public_key).not.toBe(public_key);
});
