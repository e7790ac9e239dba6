/**
 * Tests the operator's view of durable work, with the product's own functions and the embedded
 * engine.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { trpcBuilder } from '@/api/trpc/init';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { isOperator } from '@/modules/accounts/operators';
import { createTeam } from '@/modules/accounts/service';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { waitUntil } from '../../../inngest/engine/testing/harness';
import { type DurableWorkRuntime, startDurableWorkRuntime } from '../../../inngest/start';
import { executeCommand } from '../execute';
import { durableRunsRouter } from './dashboard.router';

let work: DurableWorkRuntime;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  setConfig({ operator_emails: [] });
  work = await startDurableWorkRuntime();
});
afterEach(() => work.stop());

const createCaller = trpcBuilder.createCallerFactory(durableRunsRouter);
const callerOf = (operator: boolean) =>
  createCaller({
    request_id: 'req_test',
    surface: 'dashboard',
    scope: { team_id: 'team_a', mode: 'live', actor: { kind: 'user', id: 'user_1', name: 'Olga', role: 'owner' } },
    user: { id: 'user_1', name: 'Olga', email: 'olga@example.com', role: 'owner', session_id: 's' },
    ip: null,
    user_agent: null,
    if_match: null,
    reply: { headers: {} },
    me: { operator },
  } as never);

/** Inserts a run that has used all its attempts, as the engine stores it. */
async function insertFailedRun(index: number): Promise<string> {
  const id = `0000000000000000000000000${index}`;
  const at = new Date(Date.UTC(2020, 0, 1, 0, index));
  const event = {
    id: `evt_${index}`,
    name: 'mail/message.due',
    data: { mail_id: 'mail_1', team_id: 'team_1', template: 'packet' },
    ts: at.getTime(),
  };
  await systemDb().engineRun.create({
    data: {
      id,
      function_id: 'threshold-send-mail',
      status: 'failed',
      event_id: event.id,
      event_name: event.name,
      event: JSON.stringify(event),
      error: JSON.stringify({
        name: 'Error',
        message: 'the provider is away',
        stack: 'Error: the provider is away\n at x',
      }),
      created_at: at,
      started_at: at,
      ended_at: at,
    },
  });
  return id;
}

const appError = (code: string) => expect.objectContaining({ cause: expect.objectContaining({ code }) });

describe('the runs of the embedded engine', () => {
  it('are visible to operators only', async () => {
    for (const call of [
      () => callerOf(false).overview(),
      () => callerOf(false).list({ limit: 5 }),
      () => callerOf(false).retry({ id: 'x' }),
      () => callerOf(false).cancel({ id: 'x' }),
    ]) {
      await expect(call()).rejects.toEqual(appError('insufficient_scope'));
    }
  });

  it('show function, event, steps and error, and page in both directions', async () => {
    const ids = [];
    for (let index = 1; index <= 5; index++) ids.unshift(await insertFailedRun(index));
    const operator = callerOf(true);
    const only = { status: 'failed', function: 'send-mail' } as const;
    const first = await operator.list({ limit: 2, ...only });
    expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first).toMatchObject({ has_more: true, data: [{ function: 'send-mail', status: 'failed' }, {}] });
    expect(first.data[0]?.about).toBe('mail_1 · team_1 · packet');
    expect(first.data[0]?.last_error).toBe('Error: the provider is away');
    const second = await operator.list({ limit: 2, starting_after: ids[1], ...only });
    expect(second.data.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    const back = await operator.list({ limit: 2, ending_before: ids[4], ...only });
    expect(back).toMatchObject({ has_more: true, data: [{ id: ids[2] }, { id: ids[3] }] });
    expect(await operator.overview()).toMatchObject({ engine: 'embedded', failed: 5 });
    expect((await operator.overview()).functions).toContain('deliver-to-endpoint');
    const detail = await operator.retrieve({ id: ids[0]! });
    expect(detail).toMatchObject({
      event_name: 'mail/message.due',
      steps: [],
      error_stack: expect.stringContaining('at x'),
    });
    await expect(operator.retrieve({ id: 'none' })).rejects.toEqual(appError('resource_missing'));
  });

  it('continue when a failed run is retried, once', async () => {
    const id = await insertFailedRun(1);
    const operator = callerOf(true);
    expect(await operator.retry({ id })).toEqual({ changed: true });
    await waitUntil(async () => (await operator.retrieve({ id })).status === 'completed');
    expect((await operator.retrieve({ id })).steps).toMatchObject([{ name: 'send 1', status: 'done' }]);
    expect((await operator.list({ limit: 100 })).data).toMatchObject([{ id, status: 'completed' }]);
    expect(await operator.retry({ id })).toEqual({ changed: false });
    expect(await operator.cancel({ id })).toEqual({ changed: false });
  });

  it('are listed and retried by the operator’s commands, also while no server is running', async () => {
    const id = await insertFailedRun(1);
    const list = () => executeCommand({ name: 'run list', options: { status: 'failed', limit: 20 } });
    expect(await list()).toMatchObject({ data: [{ id, last_error: 'Error: the provider is away' }] });
    await work.stop();
    expect(await executeCommand({ name: 'run retry', options: { run: id } })).toEqual({ id, retried: true });
    expect(await executeCommand({ name: 'run retry', options: { run: id } })).toEqual({ id, retried: false });
    expect(await list()).toEqual({ data: [] });
    work = await startDurableWorkRuntime();
    await waitUntil(async () => (await callerOf(true).retrieve({ id })).status === 'completed');
  });
});

describe('the operator of the installation', () => {
  const user = { email: 'Olga@example.com', email_verified: true };

  it('is a user in OPERATOR_EMAILS with a confirmed address', async () => {
    setConfig({ operator_emails: ['olga@example.com'] });
    expect(await isOperator(user, [])).toBe(true);
    expect(await isOperator({ ...user, email_verified: false }, [])).toBe(false);
    expect(await isOperator({ ...user, email: 'mallory@example.com' }, [])).toBe(false);
  });

  it.skipIf(process.env.TEST_DATABASE_URL)(
    'is otherwise, on the embedded database, an owner of the first team',
    async () => {
      const make = async (name: string, owner_email: string) =>
        (await createTeam({ name, owner_email, owner_password: 'a long password of theirs' })).team.id;
      const first = await make('First', 'first@example.com');
      const second = await make('Second', 'second@example.com');
      expect(await isOperator(user, [{ organizationId: first, role: 'owner', is_open: true }])).toBe(true);
      // The session does not meet the first team's sign-in rules.
      expect(await isOperator(user, [{ organizationId: first, role: 'owner', is_open: false }])).toBe(false);
      expect(await isOperator(user, [{ organizationId: first, role: 'member', is_open: true }])).toBe(false);
      expect(await isOperator(user, [{ organizationId: second, role: 'owner', is_open: true }])).toBe(false);
      expect(await isOperator(user, [])).toBe(false);
      // When the first team is deleted, no other user becomes the operator, because that could be
      // anyone who signs up.
      await systemDb().team.delete({ where: { id: first } });
      expect(await isOperator(user, [{ organizationId: second, role: 'owner', is_open: true }])).toBe(false);
      await systemDb().team.delete({ where: { id: second } });
      const third = await make('Third', 'third@example.com');
      expect(await isOperator(user, [{ organizationId: third, role: 'owner', is_open: true }])).toBe(false);
    },
  );

  it.runIf(process.env.TEST_DATABASE_URL)('is nobody on an external database without OPERATOR_EMAILS', async () => {
    const first = await insertTeam('live', 'first@example.com');
    expect(await isOperator(user, [{ organizationId: first.team_id, role: 'owner', is_open: true }])).toBe(false);
  });
});
