/**
 * Tests two concurrent writers to one reservation. One reads its clock, waits for the other, and
 * writes second. The second entry must not have an earlier time than the first.
 */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '@/infra/db/transaction';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { createReservationDecisionKeepingStatus } from '@/modules/reservations/rules/transitions';
import { appendReservationTrailEntries, applyReservationTransition } from '@/modules/reservations/save-transition';
import { ReservationCreate } from '@/modules/reservations/schemas';
import { createReservation } from '@/modules/reservations/service';
import { setClock } from '@/shared/clock';
import { installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { verifyTrailChain } from './chain';
import { convertRowToChainedTrailEntry, listTrailEntries } from './service';

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
afterEach(() => setClock(null));

it.each([
  [
    'an entry is not dated before one written while its mail was rendered',
    1_700,
    ['10:00:00.000', '10:00:01.700', '10:00:01.700'],
  ],
  [
    'an entry keeps its own time after one dated an hour later by a wrong clock',
    3_600_000,
    ['10:00:00.000', '11:00:00.000', '10:00:00.000'],
  ],
])('%s', async (_what, ms, times) => {
  const time = installFakeClock('2026-06-01T10:00:00.000Z');
  await clearDatabase();
  const scope = await insertTeam();
  const property = await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }));
  const stay = {
    guest_name: 'Ada',
    guest_email: 'ada@example.com',
    checkin_date: '2026-07-01',
    checkout_date: '2026-07-04',
  };
  const { id } = (await createReservation(scope, ReservationCreate.parse({ property_id: property.id, ...stay }))).row;
  await applyReservationTransition(scope, id, () => createReservationDecisionKeepingStatus(), {
    prepare: async () => {
      const read = time.now();
      time.advance(ms);
      await inTransaction(scope, () =>
        appendReservationTrailEntries(scope, id, [{ type: 'mail.delivered' }], time.now()),
      );
      time.set(read);
      return async () => {};
    },
    trail: () => [{ type: 'guest.reply_settled' }],
  });
  const trail = (await listTrailEntries(scope, id)).map(convertRowToChainedTrailEntry);
  expect(trail.map(({ type }) => type)).toEqual(['reservation.created', 'mail.delivered', 'guest.reply_settled']);
  expect(trail.map(({ created_at }) => created_at)).toEqual(times.map((at) => `2026-06-01T${at}Z`));
  expect(verifyTrailChain(trail)).toMatchObject({ ok: true, entries: 3 });
});
