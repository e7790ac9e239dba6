/** Tests that the database's counts for Home's chart equal a count of the individual events. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventType } from '@/events/catalogue';
import { recordEvent, recordEvents } from '@/events/record';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { setClock } from '@/shared/clock';
import { createSystemScope, type Scope } from '@/shared/scope';
import { addDays, getLocalDate, getStartOfDay } from '@/shared/zoned-time';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { createRandom } from '@/testing/random';
import { clearDatabase, insertTeam } from '@/testing/team';
import type { RecentActivity } from './schemas';
import { getRecentActivity } from './service';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const TYPES = ['reservation.created', 'reservation.sent', 'reservation.signed', 'packet.updated'] as const;

let live: Scope;
let time: FakeClock;
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  time = installFakeClock('2026-06-20T10:00:00Z');
  live = await insertTeam();
});
afterEach(() => setClock(null));

const eventOf = (type: EventType) => ({ type, object_id: 'res_1', data: { object: {} } });

/** Counts the events one by one, each on its local day in the zone. */
async function countedPlainly({ team_id, mode }: Scope, zone: string): Promise<RecentActivity> {
  const events = await systemDb().event.findMany({ where: { team_id, mode } });
  const today = getLocalDate(time.now(), zone);
  const days = Array.from({ length: 30 }, (_, index) => {
    const day = addDays(today, index - 29);
    const of = (type: string) =>
      events.filter((event) => event.type === type && getLocalDate(event.created_at, zone) === day).length;
    return { day, created: of(TYPES[0]), sent: of(TYPES[1]), signed: of(TYPES[2]) };
  });
  return { days };
}

describe('the activity counts in the database', () => {
  // Most of these zones change their clocks within a month. India, Nepal and Chatham have offsets
  // that are not whole hours.
  const ZONES = [
    'UTC',
    'Europe/Lisbon',
    'America/New_York',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Pacific/Chatham',
    'Australia/Lord_Howe',
    'Africa/Cairo',
    'Pacific/Kiritimati',
  ];

  it.each([
    ['2026-04-10T23:50:00Z', 1],
    ['2026-11-05T00:10:00Z', 2],
  ])('equal the events counted one by one, in every time zone, up to %s', async (now, seed) => {
    const random = createRandom(seed);
    const below = (limit: number) => random.between(0, limit - 1);
    const scopes = [
      live,
      createSystemScope(live.team_id, 'test', 'test'),
      await insertTeam('live', 'other@example.com'),
    ];
    const oneOf = <T>(of: readonly T[]) => of[below(of.length)] as T;
    const end = new Date(now).getTime();
    for (let step = 0; step < 120; step++) {
      // The moments are in random order over more than a month, half of them near a midnight.
      const moment = end - below(35 * 24 * 60) * MINUTE;
      const beside =
        getStartOfDay(getLocalDate(new Date(moment), 'UTC'), oneOf(ZONES)).getTime() + oneOf([-1, 0, 1, MINUTE]);
      time.set(new Date(below(2) ? moment : Math.min(beside, end)));
      const scope = oneOf(scopes);
      const work = inTransaction(scope, async () => {
        if (below(2)) await recordEvent(scope, eventOf(oneOf(TYPES)));
        else
          await recordEvents(
            scope,
            Array.from({ length: 1 + below(9) }, () => eventOf(oneOf(TYPES))),
          );
        if (below(5) === 0) throw new Error('Nothing of it happened.');
      });
      await work.catch((error) => expect(error.message).toBe('Nothing of it happened.'));
    }
    time.set(new Date(end));
    for (const scope of scopes)
      for (const zone of ZONES)
        expect({ zone, ...(await getRecentActivity(scope, zone)) }).toEqual({
          zone,
          ...(await countedPlainly(scope, zone)),
        });
    const { days } = await getRecentActivity(live, 'UTC');
    expect(days.filter(({ created }) => created > 0).length).toBeGreaterThan(5);
  });

  it('are maintained by the database for every inserted event', async () => {
    const { team_id, mode } = live;
    await systemDb().event.createMany({
      data: TYPES.flatMap((type, index) =>
        [0, 1].map((copy) => ({
          ...{ id: `evt_${index}${copy}`, team_id, mode, type, object_id: 'res_1', body: '{}' },
          ...{ sequence: index * 2 + copy, created_at: new Date(time.now().getTime() - index * DAY) },
        })),
      ),
    });
    const seen = await getRecentActivity(live, 'UTC');
    expect(seen).toEqual(await countedPlainly(live, 'UTC'));
    expect(seen.days.slice(-3).map(({ created, sent, signed }) => [created, sent, signed])).toEqual([
      [0, 0, 2],
      [0, 2, 0],
      [2, 0, 0],
    ]);
  });
});

it('a day begins on a quarter of an hour in every time zone', () => {
  const begins = Intl.supportedValuesOf('timeZone').flatMap((zone) =>
    ['2026-01-01', '2026-03-29', '2026-07-01', '2026-10-04', '2027-03-14'].map((day) => ({
      ...{ zone, day, late_ms: getStartOfDay(day, zone).getTime() % (15 * MINUTE) },
    })),
  );
  expect(begins.length).toBeGreaterThan(2_000);
  expect(begins.filter(({ late_ms }) => late_ms !== 0)).toEqual([]);
});
