/** What the migration `same_nights` makes of what is there: it tells nobody, and leaves several units as they were. */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { expect, it } from 'vitest';
import { embeddedAdapter } from './driver/embedded-adapter';
import { applyMigrations, listMigrations } from './opening/migrations';

const FOLDER = join(process.cwd(), 'prisma/migrations');
const NAME = '20261122113000_same_nights';

it('pairs that are there already are kept without a mail, and a property that was let to several stays so', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'threshold-migrations-'));
  const database = new PGlite();
  const migrateTo = async (until: (name: string) => boolean) => {
    for (const name of (await listMigrations(FOLDER)).filter(until)) {
      await cp(join(FOLDER, name), join(folder, name), { recursive: true });
    }
    await applyMigrations(await embeddedAdapter(database, () => {}), folder);
  };
  const run = async <Row>(sql: string) => (await database.query(sql)).rows as Row[];
  await migrateTo((name) => name < NAME);
  await database.exec(`
    INSERT INTO teams (id, name, slug) VALUES ('t', 'T', 't');
    INSERT INTO properties (id, team_id, mode, name, created_at, updated_at)
      SELECT p, 't', 'live', p, now(), now() FROM unnest(ARRAY['one', 'rooms', 'both_signed']) p;
    INSERT INTO sync_sources (id, team_id, mode, property_id, kind, created_at, updated_at)
      SELECT p || k, 't', 'live', p, CASE WHEN k = '3' THEN 'channel_b_ical' ELSE 'channel_a_ical' END, now(), now()
      FROM (VALUES ('one', '1'), ('one', '3'), ('rooms', '1'), ('rooms', '2'), ('both_signed', '1'), ('both_signed', '3')) v(p, k);
  `);
  const stay = (id: string, house: string, source: string, from: number, to: number, more = `'synced'`) => `
    INSERT INTO reservations (id, team_id, mode, property_id, guest_name, checkin_date, checkout_date, status, sync_source_id, external_source, created_at, updated_at)
    VALUES ('${id}', 't', 'live', '${house}', ${id === 'closure' ? `'Guest'` : `'Ana'`}, current_date + ${from}, current_date + ${to},
      ${more}, ${source ? `'${house}${source}'` : 'NULL'}, ${id === 'closure' ? `'other_ical'` : 'NULL'}, now(), now());`;
  await database.exec(
    [
      // Each other's nights; from the day the other leaves; the same source; cancelled; long over; a nameless closure.
      stay('b', 'one', '1', 10, 14),
      stay('a', 'one', '3', 12, 16),
      stay('c', 'one', '3', 16, 18),
      stay('d', 'one', '1', 10, 14),
      stay('e', 'one', '', 10, 14, `'ignored'`),
      stay('f', 'one', '1', -30, -28),
      stay('g', 'one', '3', -30, -28),
      stay('closure', 'one', '', 10, 14),
      stay('r1', 'rooms', '1', 10, 14),
      stay('r2', 'rooms', '2', 10, 14),
      stay('s1', 'both_signed', '1', -90, -80),
      stay('s2', 'both_signed', '3', -90, -80),
      stay('s3', 'both_signed', '1', 10, 14),
      stay('s4', 'both_signed', '3', 10, 14),
    ].join('\n'),
  );
  // Signed by guests; the signatures themselves are not needed.
  await database.exec(`
    SET session_replication_role = replica;
    UPDATE reservations SET status = 'signed', signed_at = now(), signature_id = 'sig_' || id WHERE id IN ('s1', 's2');
    SET session_replication_role = origin;`);
  await migrateTo(() => true);
  expect(await run(`SELECT id, parallel_stays FROM properties ORDER BY id`)).toEqual([
    { id: 'both_signed', parallel_stays: true },
    { id: 'one', parallel_stays: false },
    { id: 'rooms', parallel_stays: true },
  ]);
  expect(await run(`SELECT reservation_id, other_id, both_real_at FROM same_nights ORDER BY 1, 2`)).toEqual([
    { reservation_id: 'a', other_id: 'b', both_real_at: null },
    { reservation_id: 'a', other_id: 'd', both_real_at: null },
  ]);
  expect(await run('SELECT count(*)::int AS mails FROM mail_messages')).toEqual([{ mails: 0 }]);
  // What was there is not looked at again; what comes is, whoever inserts it.
  expect(await run('SELECT 1 FROM reservations WHERE nights_changed')).toEqual([]);
  await database.exec(stay('new', 'one', '1', 40, 44));
  expect(await run('SELECT id FROM reservations WHERE nights_changed')).toEqual([{ id: 'new' }]);
  await rm(folder, { recursive: true });
}, 240_000);
