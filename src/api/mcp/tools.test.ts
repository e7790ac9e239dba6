import { afterAll, beforeAll, expect, it } from 'vitest';
import { flushRequestLog } from '@/api/rest/request-log';
import { systemDb } from '@/infra/db/client';
import { startTestApi, type TestApi, type TestTeam } from '@/testing/api';
import { callTool, listTools } from './tools';

let api: TestApi;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApi();
  team = await api.createTeam();
});
afterAll(() => api.close());

/** JSON can hold them, a URL and a header of HTTP cannot; nor can PostgreSQL. */
it.each([
  ['NUL', 'a\u0000'],
  ['half of a surrogate pair', 'a\ud800'],
])('%s in an argument is refused by every tool, and every call is in the request log', async (_name, text) => {
  const headers = { authorization: `Bearer ${team.test}` };
  const before = await systemDb().requestLog.count();
  const tools = listTools('all');
  expect(tools.length).toBeGreaterThan(50);
  for (const { name, inputSchema } of tools) {
    const args = Object.keys(inputSchema.properties as object).map((property) => [property, text]);
    const answer = await callTool(name, Object.fromEntries(args), { headers, ip: null });
    expect([name, answer?.ok]).toEqual([name, args.length === 0]);
    expect([name, answer?.text]).not.toEqual([name, expect.stringContaining('internal_error')]);
    if (!inputSchema.required) {
      const answer = await callTool(name, { idempotency_key: text }, { headers, ip: null });
      expect([name, answer?.text]).not.toEqual([name, expect.stringContaining('internal_error')]);
    }
  }
  await flushRequestLog();
  expect(await systemDb().requestLog.count()).toBeGreaterThanOrEqual(before + tools.length);
});

/** By their names: what mails guests, cancels, deletes, or sends data somewhere else. */
const GRAVE = /_(send|resend|cancel|delete|redeliver|run|rotate|advance)$|^webhook_endpoints_(create|update)$/;

it('a tool that mails guests, cancels, deletes or sends data elsewhere says so, and so must each new one', () => {
  const hints = listTools('all').map(({ name, annotations }) => ({ name, ...annotations }));
  const grave = hints.filter(({ name }) => GRAVE.test(name));
  expect(grave.length).toBeGreaterThanOrEqual(12);
  for (const hint of grave)
    expect(hint).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: true });
  for (const hint of hints) {
    // Nothing that only reads is grave; whatever reaches the outside can also destroy.
    if (hint.readOnlyHint) expect(hint).toMatchObject({ destructiveHint: false, openWorldHint: false });
    if (hint.openWorldHint) expect(hint.destructiveHint).toBe(true);
  }
  const harmless = hints.filter((hint) => !hint.readOnlyHint && !hint.destructiveHint).map(({ name }) => name);
  expect(harmless.sort()).toEqual(['packets_create', 'properties_create', 'test_clocks_create']);
});
