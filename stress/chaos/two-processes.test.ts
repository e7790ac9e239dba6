/**
 * Tests two servers on one external PostgreSQL, like several instances behind a load balancer.
 * Every job must run only once, on one of them. Needs TEST_DATABASE_URL, with a PostgreSQL role
 * that may create databases, and the build that `npm test` creates.
 * @module-tag exhaustive
 */

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRandom } from '@/testing/random';
import { findFreePort, hasNextJsBuild, startTestServer, type TestServer } from '@/testing/server';
import { type MailProvider, startMailProvider } from '../../e2e/support/mail-provider';
import { AcknowledgedWrites } from './acknowledged-writes';
import type { ChaosContext } from './chaos-context';
import {
  createPropertiesAndEndpoints,
  makeTeam,
  startSimulatedPartnersAndGuests,
  waitUntilServerSendsNoMoreRequests,
} from './chaos-run';
import { checkStoredChaosData, findLostAcknowledgedWritesOverApi } from './final-checks';
import { startFlappingReceiver } from './flapping-receiver';
import { createRetryingPartnerClient } from './retrying-client';
import { readStoredChaosData } from './stored-data';

const admin_url = process.env.TEST_DATABASE_URL ?? '';
const missing = [
  ...(admin_url ? [] : ['TEST_DATABASE_URL']),
  ...(hasNextJsBuild() ? [] : ['a build (npm run build)']),
].join(' and ');

const HOUR_MS = 3_600_000;
const random = createRandom(Number(process.env.CHAOS_SEED) || 1);
const database = `threshold_two_${randomBytes(6).toString('hex')}`;
const database_url = admin_url && Object.assign(new URL(admin_url), { pathname: `/${database}` }).href;

async function sql<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
const where = { data_dir: '', database_url };
const inDatabase = <Row extends object>(text: string, values: unknown[] = []) => sql<Row>(database_url, text, values);

/** Resolves when `holds` returns true. Throws after a timeout. */
async function until(what: string, holds: () => Promise<boolean> | boolean, within_ms = 60_000): Promise<void> {
  const deadline = Date.now() + within_ms;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what} did not come to pass within ${within_ms / 1000} s.`);
    await sleep(200);
  }
}

/**
 * Resolves when a team has no unfinished work. After a timeout, throws an error that lists the
 * unfinished work. The timeout is long, because an attempt can time out on a busy machine. Its
 * lease must then expire before the sweep, which runs each minute, finds it.
 */
async function untilFinished(team_id: string, within_ms = 150_000): Promise<void> {
  let left: unknown;
  await until(
    'the end of all work',
    async () => {
      const { unfinished, waiting } = await readStoredChaosData(where, team_id);
      left = { unfinished, waiting: waiting.slice(0, 3) };
      return Object.values(unfinished).every((count) => count === 0);
    },
    within_ms,
  ).catch((error: Error) => {
    throw new Error(`${error.message} Left: ${JSON.stringify(left)}`);
  });
}

/** Resolves when only one process is left and the leases of all others are released. */
async function untilDeadLeasesReleased(): Promise<void> {
  const held = ['webhook_deliveries', 'engine_jobs', 'sync_sources'].map((table) => {
    const token = table === 'sync_sources' ? 'running_token' : 'lease_token';
    const until_column = table === 'sync_sources' ? 'running_until' : 'lease_until';
    return `SELECT 1 FROM ${table} WHERE ${until_column} > now() AND split_part(${token}, ':', 1) NOT IN (SELECT id FROM processes)`;
  });
  await until('an end of what the dead held', async () => {
    const [row] = await inDatabase<{ alive: number; held: number }>(
      `SELECT (SELECT count(*)::int FROM processes) AS alive, (SELECT count(*)::int FROM (${held.join(' UNION ALL ')}) h) AS held`,
    );
    return row?.alive === 1 && row.held === 0;
  });
}

/** Serves a calendar on this machine and records which processes request it. */
async function startFeed() {
  let requests = 0;
  const day = (offset: number) =>
    new Date(Date.now() + offset * 24 * HOUR_MS).toISOString().slice(0, 10).replaceAll('-', '');
  const body = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', 'BEGIN:VEVENT', 'UID:0123456789ab@example.com'],
    ...[`DTSTART;VALUE=DATE:${day(40)}`, `DTEND;VALUE=DATE:${day(44)}`, 'SUMMARY:Reserved - Ada'],
    ...['END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n');
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(200, { 'Content-Type': 'text/calendar' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.ics`,
    requests: () => requests,
    close: () => server.close(),
  };
}

/**
 * Returns a time zone and a date for which check-in, at 15:00 on the date in the zone, is between
 * `from_hours` and `to_hours` ahead.
 */
function checkinAhead(from_hours: number, to_hours: number): { timezone: string; date: string } {
  for (let offset = -12; offset <= 12; offset++) {
    for (const days of [0, 1]) {
      const date = new Date(Date.now() + offset * HOUR_MS + days * 24 * HOUR_MS).toISOString().slice(0, 10);
      const hours = (Date.parse(`${date}T15:00:00Z`) - offset * HOUR_MS - Date.now()) / HOUR_MS;
      // In the names of these time zones, the sign is reversed.
      const timezone = `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
      if (hours > from_hours && hours < to_hours) return { timezone, date };
    }
  }
  throw new Error('No zone fits.');
}

const dayOffset = (offset: number) => new Date(Date.now() + offset * 24 * HOUR_MS).toISOString().slice(0, 10);

describe.skipIf(missing !== '')(`two processes on one PostgreSQL${missing && ` (skipped: needs ${missing})`}`, () => {
  let servers: [TestServer, TestServer];
  let provider: MailProvider;
  let chaos: ChaosContext;

  beforeAll(async () => {
    await sql(admin_url, `CREATE DATABASE ${database}`);
    provider = await startMailProvider(random.fork(), 0);
    const ports = [await findFreePort(), await findFreePort()] as const;
    const env = {
      DATABASE_URL: database_url,
      APP_SECRET: 'one-secret-for-both-one-secret-for-both',
      APP_URL: `http://localhost:${ports[0]}`,
      RESEND_API_KEY: 're_two',
      RESEND_BASE_URL: provider.url,
      RESEND_REQUESTS_PER_SECOND: '100',
      WEBHOOK_RETRY_DELAYS_S: '0.3,0.3,0.5,0.5,1,1,1,1,1.5',
    };
    const start = (port: number) => startTestServer({ with_pages: true, built: true, port, env });
    // Both servers start at the same moment, so they also migrate the same database concurrently.
    servers = await Promise.all([start(ports[0]), start(ports[1])]);
    const receivers = [
      await startFlappingReceiver('steady', random.fork(), { failing: 0, outages: false, hang_ms: 0 }),
      await startFlappingReceiver('flapping', random.fork(), { failing: 0.3, outages: false, hang_ms: 1_500 }),
    ];
    chaos = {
      ...(await makeTeam(servers[0])),
      target: { origins: [servers[0].url, servers[1].url], violations: [], repeated: 0 },
      ledger: new AcknowledgedWrites(),
      receivers,
      provider,
    };
  });

  afterAll(async () => {
    await Promise.all(servers?.map((server) => server.stop()) ?? []);
    await Promise.all([provider?.close(), ...(chaos?.receivers.map((receiver) => receiver.close()) ?? [])]);
    await sql(admin_url, `DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  });

  it('make every delivery attempt, send every mail and seal every certificate exactly once', async () => {
    const properties = await createPropertiesAndEndpoints(chaos, random.fork(), 4);
    const actors = startSimulatedPartnersAndGuests(chaos, { partners: 4, pause_ms: 100 }, random, properties);
    const enough = until('60 acknowledged writes', () => chaos.ledger.acknowledged > 60);
    await Promise.race([Promise.all([sleep(10_000), enough]), actors.failed]);
    await actors.stop();
    for (const receiver of chaos.receivers) await receiver.recover();
    await untilFinished(chaos.team_id);
    await waitUntilServerSendsNoMoreRequests(chaos, 2_000);
    const stored = await readStoredChaosData(where, chaos.team_id);
    const violations = [
      ...chaos.target.violations,
      ...(await findLostAcknowledgedWritesOverApi(chaos, random.fork(), stored)),
    ];
    expect([...violations, ...checkStoredChaosData(chaos, stored)]).toEqual([]);
    // No server was killed, so each mail was requested exactly once.
    expect(provider.sent.filter(({ requests }) => requests !== 1)).toEqual([]);
    for (const { name, arrivals } of chaos.receivers) {
      const attempts = arrivals.map(({ event_id, attempt }) => `${event_id} ${attempt}`);
      expect(attempts.length, name).toBe(new Set(attempts).size);
      const accepted = arrivals.filter((arrival) => arrival.accepted).map(({ event_id }) => event_id);
      expect(accepted.length, name).toBe(stored.events.length);
      expect(new Set(accepted).size, name).toBe(stored.events.length);
    }
    expect(chaos.ledger.acknowledged).toBeGreaterThan(50);
    expect([...chaos.ledger.bookings.values()].filter(({ signed }) => signed).length).toBeGreaterThan(2);
  }, 300_000);

  it('after a downtime together do everything that became due exactly once', async () => {
    const partner = createRetryingPartnerClient(chaos.target, random.fork(), chaos.api_key);
    const feed = await startFeed();
    const [soon, next] = [checkinAhead(3, 23), checkinAhead(0.3, 1.7)];
    const settings = { auto_send_packet: true, auto_send_offset_hours: 48, auto_reminders: true };
    const property = async (timezone: string) =>
      (await partner.must('POST', '/properties', { name: `House in ${timezone}`, timezone, ...settings })).id;
    const [near, nearest, past] = [await property(soon.timezone), await property(next.timezone), await property('UTC')];
    const book = async (kind: string, property_id: string, sent: boolean) => {
      const request = { property_id, guest_name: kind, checkin_date: dayOffset(30), checkout_date: dayOffset(33) };
      const ids: string[] = [];
      for (let count = 0; count < 8; count++) {
        const guest_email = `${kind}-${count}@example.com`;
        const { id } = await partner.must('POST', '/reservations', { ...request, guest_email });
        if (sent) await partner.must('POST', `/reservations/${id}/send`);
        ids.push(id);
      }
      return ids;
    };
    const due = {
      unsent: await book('unsent', near, false),
      reminded: await book('reminded', near, true),
      nearest: await book('nearest', nearest, true),
      late: await book('late', past, true),
      over: await book('over', past, true),
    };
    await until(
      'all packets',
      () => provider.sent.filter(({ to }) => /^(reminded|nearest|late|over)/.test(to)).length === 32,
    );
    const source = await servers[0].admin<{ id: string }>(
      ...['sync-source', 'create', '--property', near, '--kind', 'channel_b_ical', '--url', feed.url],
    );
    await Promise.all(servers.map((server) => server.stopProcess()));

    // Simulates an hour without running processes. During this hour, check-in came close or passed.
    const late_day = new Date().getUTCHours() >= 15 ? dayOffset(0) : dayOffset(-1);
    const move = (ids: string[], checkin: string, checkout: string) =>
      inDatabase(
        `UPDATE reservations SET checkin_date = $2::date, checkout_date = $3::date,
           sent_at = sent_at - interval '10 days' WHERE id = ANY($1::text[])`,
        [ids, checkin, checkout],
      );
    await move(due.unsent, soon.date, dayOffset(5));
    await move(due.reminded, soon.date, dayOffset(5));
    await move(due.nearest, next.date, dayOffset(5));
    await move(due.late, late_day, dayOffset(5));
    await move(due.over, dayOffset(-9), dayOffset(-4));
    await inDatabase('DELETE FROM engine_cron_ticks');
    await inDatabase(`UPDATE engine_functions SET created_at = now() - interval '1 hour'`);
    await inDatabase(`UPDATE sync_sources SET next_run_at = now() - interval '1 minute' WHERE id = $1`, [source.id]);
    const [before] = await inDatabase<{ runs: number }>('SELECT count(*)::int AS runs FROM engine_runs');
    const asked_before = feed.requests();
    await Promise.all(servers.map((server) => server.restart()));

    const mailed = (kind: string) => provider.sent.filter(({ to }) => to.startsWith(kind)).length;
    const rows = (template: string) =>
      inDatabase<{ id: string }>('SELECT id FROM mail_messages WHERE template = $1', [template]);
    const expired = async () =>
      (await inDatabase(`SELECT 1 FROM reservations WHERE status = 'expired' AND id = ANY($1::text[])`, [due.over]))
        .length;
    await until('the packets, reminders and alerts', async () => {
      const reminded = [mailed('reminded') - 8, mailed('nearest') - 8];
      const done = [mailed('unsent'), ...reminded, (await rows('late_alert')).length, await expired()];
      return done.every((count) => count >= 8) && feed.requests() > asked_before;
    });
    await waitUntilServerSendsNoMoreRequests(chaos, 3_000);
    expect({
      packets: mailed('unsent'),
      reminders: mailed('reminded') - 8,
      last_reminders: mailed('nearest') - 8,
      reminder_rows: (await rows('reminder_24h')).length,
      last_reminder_rows: (await rows('reminder_2h')).length,
      alerts: (await rows('late_alert')).length,
      expired: await expired(),
      polls: feed.requests() - asked_before,
    }).toEqual({
      packets: 8,
      reminders: 8,
      last_reminders: 8,
      reminder_rows: 8,
      last_reminder_rows: 8,
      alerts: 8,
      expired: 8,
      polls: 1,
    });
    expect(provider.sent.filter(({ requests }) => requests !== 1)).toEqual([]);
    const ticks = await inDatabase<{ function_id: string; minutes: number; runs: number }>(
      `SELECT function_id, count(DISTINCT minute)::int AS minutes, count(*)::int AS runs FROM engine_cron_ticks GROUP BY 1`,
    );
    expect(ticks.filter(({ minutes, runs }) => minutes !== runs)).toEqual([]);
    expect(ticks.length).toBeGreaterThanOrEqual(4);
    const [after] = await inDatabase<{ runs: number; failed: number }>(
      `SELECT count(*)::int AS runs, (count(*) FILTER (WHERE status = 'failed'))::int AS failed FROM engine_runs`,
    );
    expect(after?.failed).toBe(0);
    expect(after?.runs).toBeGreaterThan(before?.runs ?? 0);
    feed.close();
  }, 300_000);

  it('when one is killed, the other finishes its work once its leases expire', async () => {
    const second = {
      ...(await makeTeam(servers[0], 'second@example.com')),
      target: { origins: chaos.target.origins, violations: [], repeated: 0 },
      ledger: new AcknowledgedWrites(),
      receivers: chaos.receivers,
      provider,
    } satisfies ChaosContext;
    const earlier = chaos.receivers.map(({ arrivals }) => arrivals.length);
    const sent_earlier = provider.sent.length;
    const properties = await createPropertiesAndEndpoints(second, random.fork(), 4);
    const actors = startSimulatedPartnersAndGuests(second, { partners: 4, pause_ms: 100 }, random, properties);
    await Promise.race([sleep(5_000), actors.failed]);
    await servers[1].kill();
    const killed_at = Date.now();
    const free = untilDeadLeasesReleased().then(() => Date.now() - killed_at);
    await Promise.race([sleep(3_000), actors.failed]);
    await actors.stop();
    expect(await free).toBeLessThan(35_000);
    await untilFinished(second.team_id, 150_000);
    await waitUntilServerSendsNoMoreRequests(second, 2_000);
    // Requests from earlier tests belong to other teams and are ignored.
    const own = {
      ...second,
      provider: { ...provider, sent: provider.sent.slice(sent_earlier), violations: provider.violations },
      receivers: second.receivers.map((receiver, index) => ({
        ...receiver,
        arrivals: receiver.arrivals.slice(earlier[index]),
      })),
    };
    const stored = await readStoredChaosData(where, second.team_id);
    const alive = { ...own, target: { ...own.target, origins: [servers[0].url] as [string] } };
    const violations = [
      ...own.target.violations,
      ...(await findLostAcknowledgedWritesOverApi(alive, random.fork(), stored)),
    ];
    expect([...violations, ...checkStoredChaosData(alive, stored)]).toEqual([]);
    expect(second.target.repeated).toBeGreaterThan(0);
  }, 240_000);
});
