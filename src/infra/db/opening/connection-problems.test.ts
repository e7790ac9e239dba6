/**
 * Tests the messages for connection problems, by causing real problems instead of simulating them.
 */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeConnectionProblem } from './connection-problems';
import { migrateExternalDatabase } from './external-migrations';

async function problemOf(url: string): Promise<string | null> {
  const error = await migrateExternalDatabase(url, 'prisma/migrations').then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error === null ? null : describeConnectionProblem(error, url);
}

/** Listens on a port and handles each connection with `answer`. */
async function listener(answer: (socket: import('node:net').Socket) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

it('reports that nothing listens on the port', async () => {
  const { port, close } = await listener(() => {});
  close();
  expect(await problemOf(`postgresql://me:hunter2@127.0.0.1:${port}/threshold`)).toBe(
    `DATABASE_URL: 127.0.0.1:${port}/threshold as “me” cannot be used: nothing listens there`,
  );
});

it('reports that the host does not exist', async () => {
  expect(await problemOf('postgresql://me:hunter2@db.invalid/threshold')).toMatch(
    /db\.invalid\/threshold as “me” cannot be used: (there is no such host|the name of its host could not be looked up)$/,
  );
});

it('reports that the server accepts the connection but never responds', async () => {
  const silent = await listener(() => {});
  expect(await problemOf(`postgresql://me:hunter2@127.0.0.1:${silent.port}/threshold`)).toMatch(/it does not answer$/);
  silent.close();
}, 30_000);

it('returns null for an error that is not a connection problem', () => {
  expect(describeConnectionProblem(new Error('column x does not exist'), 'postgresql://h/d')).toBeNull();
});

describe.skipIf(!process.env.TEST_DATABASE_URL)('connecting to PostgreSQL', () => {
  const admin = new URL(process.env.TEST_DATABASE_URL || 'postgresql://none');
  const ROLE = 'threshold_stranger';
  const client = new Client({ connectionString: admin.toString() });
  const as = (user: string, password: string, database = admin.pathname.slice(1)) => {
    const url = new URL(admin);
    Object.assign(url, { username: user, password, pathname: `/${database}` });
    return url.toString();
  };

  beforeAll(async () => {
    await client.connect();
    await client.query(`DROP DATABASE IF EXISTS ${ROLE}`);
    await client.query(`DROP ROLE IF EXISTS ${ROLE}`);
    await client.query(`CREATE ROLE ${ROLE} LOGIN PASSWORD 'right'`);
    await client.query(`CREATE DATABASE ${ROLE}`);
    const own = new Client({ connectionString: as(admin.username, admin.password, ROLE) });
    await own.connect();
    await own.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    await own.end();
  });
  afterAll(async () => {
    await client.query(`DROP DATABASE IF EXISTS ${ROLE}`);
    await client.query(`DROP ROLE IF EXISTS ${ROLE}`);
    await client.end();
  });

  it.each([
    // A server without password authentication reports that the user does not exist.
    [
      'an unknown user',
      as('threshold_nobody', 'wrong', ROLE),
      /it (refused the user’s password|does not let this user in)/,
    ],
    ['a database that does not exist', as(ROLE, 'right', 'threshold_nowhere'), /there is no such database/],
    [
      'a user without the right to create tables',
      as(ROLE, 'right', ROLE),
      /its user may not do what the migrations do/,
    ],
  ])('reports %s', async (_name, url, told) => {
    const problem = await problemOf(url);
    expect(problem).toMatch(told);
    expect(problem).not.toMatch(/right|wrong/);
  });
});
