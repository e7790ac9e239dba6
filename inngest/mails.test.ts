/**
 * Tests sending mails. Starts the durable work as the product does, with the embedded engine, and
 * runs a mail provider on this machine.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { queueAccountMail } from '@/modules/mail/service';
import { queuePushNotification } from '@/modules/push/service';
import { createReservation } from '@/modules/reservations/service';
import { setClock } from '@/shared/clock';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { type RawHttpReceiver, startRawHttpReceiver } from '@/testing/raw-receiver';
import { clearDatabase, insertProperty, insertTeam } from '@/testing/team';
import { waitUntil } from './engine/testing/harness';
import { createDurableRunRequester, type DurableRunRequestEvent } from './run-requester';
import { type DurableWorkRuntime, startDurableWorkRuntime } from './start';

let provider: RawHttpReceiver;
let work: DurableWorkRuntime;

beforeAll(openTestDatabase);
beforeEach(clearDatabase);
afterAll(closeTestDatabase);

const queue = (count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      queueAccountMail({ template: 'invitation', to: `g${n}@example.com`, subject: 's', html: 'h', text: 't' }),
    ),
  );

describe('mails in delivery', () => {
  afterEach(async () => {
    await work.stop();
    await provider.close();
    setClock(null);
    setConfig({ resend_api_key: undefined, resend_base_url: undefined, mails_per_second: 5 });
  });

  it('are sent no faster than the provider’s limit, and none is lost', async () => {
    provider = await startRawHttpReceiver();
    provider.answer((_request, response, index) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ id: `re_${index}` }));
    });
    setConfig({ resend_api_key: 're_test', resend_base_url: provider.url, mails_per_second: 3 });
    work = await startDurableWorkRuntime();
    await queue(8);
    await provider.received(8, 20_000);
    await waitUntil(async () => (await systemDb().mailMessage.count({ where: { status: 'sent' } })) === 8);
    const runs = await systemDb().engineRun.findMany({ orderBy: { started_at: 'asc' } });
    const begun = runs
      .filter((run) => run.function_id.endsWith('send-mail'))
      .map(({ started_at }) => Number(started_at));
    expect(begun).toHaveLength(8);
    expect(Math.min(...begun.slice(3).map((at, index) => at - begun[index]!))).toBeGreaterThanOrEqual(1_000);
  }, 40_000);

  it('are retried on time by the same run', async () => {
    provider = await startRawHttpReceiver();
    provider.answer((_request, response, index) => {
      if (index === 0) return void response.writeHead(503, { 'Content-Type': 'application/json' }).end('{}');
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ id: `re_${index}` }));
    });
    setConfig({ resend_api_key: 're_test', resend_base_url: provider.url, mails_per_second: 3 });
    work = await startDurableWorkRuntime();
    await queue(1);
    await provider.received(1, 20_000);
    // The run is now asleep, and the mail's row contains the error.
    await waitUntil(
      async () => (await systemDb().engineStep.count({ where: { op: 'Sleep', status: 'pending' } })) === 1,
    );
    expect((await systemDb().mailMessage.findFirstOrThrow()).last_error).not.toBeNull();
    const ahead = (ms: number) => setClock({ now: () => new Date(Date.now() + ms) });
    ahead(20_000);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(provider.requests).toHaveLength(1);
    ahead(40_000);
    await waitUntil(async () => (await systemDb().mailMessage.count({ where: { status: 'sent' } })) === 1);
    expect(provider.requests).toHaveLength(2);
    const runs = () => systemDb().engineRun.findMany({ where: { function_id: { endsWith: 'send-mail' } } });
    await waitUntil(async () => (await runs()).some(({ output }) => output?.includes('"sent"')));
    expect((await runs()).map(({ status }) => status)).not.toContain('failed');
  }, 40_000);
});

describe('run requests', () => {
  let time: FakeClock;
  let sent: DurableRunRequestEvent[];
  let fails = false;
  let waker: ReturnType<typeof createDurableRunRequester>;
  const wakeForMails = () => waker.wakes.find(({ name }) => name === 'asking for mails')!.run();
  /** Returns the mails for which runs were requested since the last call. */
  const mails = () => sent.splice(0).filter(({ name }) => name === 'mail/message.due');
  const ids = (events: DurableRunRequestEvent[]) => new Set(events.map(({ id }) => id));

  beforeEach(() => {
    time = installFakeClock('2026-03-01T12:00:00.000Z');
    setConfig({ resend_api_key: 're_test' });
    sent = [];
    fails = false;
    waker = createDurableRunRequester(async (events) => {
      if (fails) throw new Error('away');
      sent.push(...events);
    });
  });
  afterEach(() => {
    setConfig({ resend_api_key: undefined });
    setClock(null);
  });

  it('are sent once per mail, however many there are, and again with new ids when nothing came of them', async () => {
    await queue(450);
    await wakeForMails();
    const first = ids(mails());
    expect(first.size).toBe(450);
    await wakeForMails();
    expect(mails()).toEqual([]);
    // The requests have the same ids, so the engine ignores the repetition.
    await waker.requestOtherRuns();
    expect(ids(mails())).toEqual(first);
    time.advance(5 * 60_000);
    await waker.requestOtherRuns();
    const again = ids(mails());
    expect(again.size).toBe(450);
    expect([...again].some((id) => first.has(id))).toBe(false);
  });

  it('are sent again when the request failed or its process died', async () => {
    await queue(1);
    fails = true;
    await expect(wakeForMails()).rejects.toThrow('away');
    fails = false;
    await wakeForMails();
    const first = ids(mails());
    expect(first.size).toBe(1);
    const other = createDurableRunRequester(async (events) => void sent.push(...events));
    await other.wakes.find(({ name }) => name === 'asking for mails')!.run();
    expect(ids(mails())).toEqual(first);
  });

  it('are sent with new ids to a server that lost its state', async () => {
    await queue(1);
    await wakeForMails();
    const first = ids(mails());
    await waker.requestAllAgain();
    const anew = ids(mails());
    expect(anew.size).toBe(1);
    expect(anew).not.toEqual(first);
  });

  it('are sent only once a mail is due', async () => {
    await queue(1);
    await systemDb().mailMessage.updateMany({ data: { attempts: 1, due_at: new Date(time.now().getTime() + 90_000) } });
    await wakeForMails();
    await waker.requestOtherRuns();
    expect(mails()).toEqual([]);
    time.advance(90_000);
    await waker.requestOtherRuns();
    expect(mails()).toHaveLength(1);
  });

  it('are sent for push notices in the same way', async () => {
    const scope = await insertTeam();
    const property_id = await insertProperty(scope);
    const stay = { checkin_date: '2026-06-01', checkout_date: '2026-06-03', source: 'direct' as const };
    const { row } = await createReservation(scope, {
      property_id,
      guest_name: 'Ana',
      guest_email: 'ana@example.com',
      ...stay,
    });
    await inTransaction(scope, () => queuePushNotification(scope, row.id, 'question'));
    const wake = () => waker.wakes.find(({ name }) => name === 'asking for notices')!.run();
    const notices = () => sent.splice(0).filter(({ name }) => name === 'push/notice.due');
    await wake();
    const first = notices();
    expect(first).toHaveLength(1);
    await wake();
    expect(notices()).toEqual([]);
    await waker.requestOtherRuns();
    expect(notices()).toEqual(first);
    await systemDb().pushNotice.updateMany({ data: { attempts: 1, due_at: new Date(time.now().getTime() + 60_000) } });
    await wake();
    await waker.requestOtherRuns();
    expect(notices()).toEqual([]);
    time.advance(60_000);
    await waker.requestOtherRuns();
    expect(notices()).toHaveLength(1);
    await waker.requestAllAgain();
    expect(notices()).toHaveLength(1);
  });
});
