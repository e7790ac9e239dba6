import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildOpenApiDocument } from '@/api/openapi';
import { flushRequestLog } from '@/api/rest/request-log';
import { systemDb } from '@/infra/db/client';
import { startTestApiServer, type TestApiServer, type TestTeam } from '@/testing/api';
import { callMcpTool, listMcpTools } from './tools';

let api: TestApiServer;
let team: TestTeam;

beforeAll(async () => {
  api = await startTestApiServer();
  team = await api.createTeam();
});
afterAll(() => api.close());

/** Texts that are valid in JSON, but not in a URL, an HTTP header or PostgreSQL. */
it.each([
  ['NUL', 'a\u0000'],
  ['a lone surrogate', 'a\ud800'],
])('every tool rejects %s in an argument, and every call is in the request log', async (_name, text) => {
  const headers = { authorization: `Bearer ${team.test}` };
  const before = await systemDb().requestLog.count();
  const tools = listMcpTools('all');
  expect(tools.length).toBeGreaterThan(50);
  for (const { name, inputSchema } of tools) {
    const args = Object.keys(inputSchema.properties as object).map((property) => [property, text]);
    const answer = await callMcpTool(name, Object.fromEntries(args), { headers, ip: null });
    expect([name, answer?.ok]).toEqual([name, args.length === 0]);
    expect([name, answer?.text]).not.toEqual([name, expect.stringContaining('internal_error')]);
    if (!inputSchema.required) {
      const answer = await callMcpTool(name, { idempotency_key: text }, { headers, ip: null });
      expect([name, answer?.text]).not.toEqual([name, expect.stringContaining('internal_error')]);
    }
  }
  await flushRequestLog();
  expect(await systemDb().requestLog.count()).toBeGreaterThanOrEqual(before + tools.length);
});

/** Names of tools that mail guests, cancel, delete, or send data elsewhere. */
const GRAVE = /_(send|resend|cancel|delete|redeliver|run|rotate|advance)$|^webhook_endpoints_(create|update)$/;

it('a tool that mails guests, cancels, deletes or sends data elsewhere is marked destructive', () => {
  const hints = listMcpTools('all').map(({ name, annotations }) => ({ name, ...annotations }));
  const grave = hints.filter(({ name }) => GRAVE.test(name));
  expect(grave.length).toBeGreaterThanOrEqual(12);
  for (const hint of grave)
    expect(hint).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: true });
  for (const hint of hints) {
    // A read-only tool is never destructive. A tool with an outside effect is always destructive.
    if (hint.readOnlyHint) expect(hint).toMatchObject({ destructiveHint: false, openWorldHint: false });
    if (hint.openWorldHint) expect(hint.destructiveHint).toBe(true);
  }
  const harmless = hints.filter((hint) => !hint.readOnlyHint && !hint.destructiveHint).map(({ name }) => name);
  expect(harmless.sort()).toEqual(['packets_create', 'properties_create', 'test_clocks_create']);
});

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/**
 * A client passes this list, except the output schemas, to its model. Four bytes are about one
 * token.
 */
it('the list of tools stays small enough for an assistant: 60 kB, plus 85 kB of output schemas', () => {
  const tools = listMcpTools('all');
  const remedy = 'Leave out a tool that another one covers (LEFT_OUT in tools.ts), or raise the limit.';
  expect(bytes(tools.map(({ outputSchema: _apart, ...tool }) => tool)), remedy).toBeLessThan(60_000);
  expect(bytes(tools.map(({ outputSchema }) => outputSchema)), remedy).toBeLessThan(85_000);
});

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

// biome-ignore lint/suspicious/noExplicitAny: a document read as a client reads it.
type Json = any;
const document: Json = buildOpenApiDocument();
/** Returns the value, or the target when the value is a reference. */
const follow = (value: Json): Json =>
  value?.$ref
    ? follow(
        (value.$ref as string)
          .slice(2)
          .split('/')
          .reduce((at, key) => at[key], document),
      )
    : value;

/**
 * Returns the documented example of an operation's response, or an empty object when the operation
 * has no response body.
 */
function documented(name: string): unknown {
  const operations = Object.values<Json>(document.paths).flatMap((methods) => Object.values<Json>(methods));
  const { responses } = operations.find(({ operationId }) => operationId === name);
  const media = follow(responses['200'] ?? responses['201'] ?? responses['202'])?.content?.['application/json'];
  if (!media) return {};
  return media.example ?? follow(media.examples.example).value;
}

it.each(listMcpTools('all').map((tool) => [tool.name, tool] as const))(
  'the output schema of %s describes an object, and the documented response matches it',
  (name, { outputSchema }) => {
    expect(outputSchema.type).toBe('object');
    const validate = ajv.compile(outputSchema);
    const redirected = name === 'certificates_download' || name === 'certificates_dispute_pack';
    const answer = redirected ? { url: 'https://threshold.example/file' } : documented(name);
    expect([validate(answer), validate.errors]).toEqual([true, null]);
    expect(validate([])).toBe(false);
  },
);

it('structured content equals the text’s object, and an error has none', async () => {
  const caller = { headers: { authorization: `Bearer ${team.test}` }, ip: null };
  const made = await callMcpTool('properties_create', { name: 'Casa Azul' }, caller);
  expect(made?.content).toMatchObject({ object: 'property', name: 'Casa Azul' });
  expect(made?.content).toEqual(JSON.parse(made?.text ?? ''));
  const id = String(made?.content?.id);
  expect((await callMcpTool('properties_delete', { id }, caller))?.content).toMatchObject({ id, deleted: true });
  const refused = await callMcpTool('properties_retrieve', { id }, caller);
  expect(refused).toMatchObject({ ok: false, content: null, text: expect.stringContaining('resource_missing') });
});
