/**
 * Counts the statements that an operation runs, including its transaction's BEGIN and COMMIT.
 * queries.json contains the expected numbers, so that no statement is added by accident. A list
 * must run the same number of statements for many rows. `UPDATE_QUERIES=1` rewrites the file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listRoutes, type Route } from '@/api/rest/routes';
import { appRouter } from '@/api/router';
import { database, systemDb } from '@/infra/db/client';
import { API_OPERATION_TEST_CASES, type ApiOperationTestCaseContext, fillPathParameters } from './cases';
import {
  type ApiTestContext,
  createApiCaller,
  createScopeForTestTeam,
  makeProperty,
  openApiTestContext,
  SECOND_MS,
} from './test-context';

const FILE = path.join(import.meta.dirname, 'queries.json');
/**
 * Number of calls per operation. The lowest count is used, because the server may write its request
 * log during one of the calls.
 */
const TIMES = 3;

const routes = listRoutes(appRouter);
const of = (route: Route) => `${route.method} ${route.pattern}`;
const on_a_server = Boolean(process.env.TEST_DATABASE_URL);

let world: ApiTestContext;
let statements = 0;
const grounds = new Map<string, ApiOperationTestCaseContext>();

beforeAll(async () => {
  world = await openApiTestContext();
  await systemDb().team.updateMany({ data: { property_limit: 1_000 } });
  const { pglite } = database();
  if (!pglite) return;
  // PGlite calls this method once for each statement.
  const own = pglite._runExclusiveQuery.bind(pglite);
  pglite._runExclusiveQuery = (work) => {
    statements += 1;
    return own(work);
  };
  restore = () => {
    pglite._runExclusiveQuery = own;
  };
});
let restore = () => {};
afterAll(() => {
  restore();
  return world.close();
});

async function ground(mode: 'live' | 'test'): Promise<ApiOperationTestCaseContext> {
  const caller = createApiCaller(world.api, world.team[mode]);
  const scope = createScopeForTestTeam(world.team, mode);
  const known = grounds.get(mode) ?? { caller, scope, clock: world.clock, property: await makeProperty(caller) };
  grounds.set(mode, known);
  return known;
}

async function statementsOf(route: Route): Promise<number> {
  const found = API_OPERATION_TEST_CASES[route.name];
  if (!found) throw new Error(`Give ${route.name} a case in e2e/api/cases.ts.`);
  const mode = found.mode ?? 'live';
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < TIMES; time++) {
    await systemDb().webhookEndpoint.deleteMany();
    const { params, body } = await found.prepare(await ground(mode));
    world.clock.advance(2 * SECOND_MS);
    const before = statements;
    const answer = await world.api.request(route.method, fillPathParameters(route.pattern, params), {
      key: world.team[mode],
      body,
    });
    least = Math.min(least, statements - before);
    expect({ status: answer.status, text: answer.text.slice(0, 300) }).toMatchObject({
      status: route.meta.success_status,
    });
  }
  return least;
}

it.skipIf(on_a_server)(
  'every operation runs its pinned number of statements, and a list runs no more for more rows',
  async () => {
    const taken: Record<string, number> = {};
    for (const route of routes) taken[of(route)] = await statementsOf(route);
    // By now the other operations have created rows for each list.
    const lists = routes.filter(({ method, pattern }) => method === 'GET' && !pattern.endsWith('}'));
    expect(lists.length).toBeGreaterThan(5);
    for (const route of lists)
      expect({ of: of(route), takes: await statementsOf(route) }).toEqual({ of: of(route), takes: taken[of(route)] });
    if (process.env.UPDATE_QUERIES) writeFileSync(FILE, `${JSON.stringify(taken, null, 2)}\n`);
    expect(taken, 'Run with UPDATE_QUERIES=1 and review each line').toEqual(JSON.parse(readFileSync(FILE, 'utf8')));
  },
  300_000,
);
