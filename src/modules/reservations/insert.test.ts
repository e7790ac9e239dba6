import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { textToDay } from '@/shared/calendar-day';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { emptyDatabase, insertTeam } from '@/testing/team';
import { insertReservation } from './service';

beforeAll(async () => {
  await openTestDatabase();
  await emptyDatabase();
});
afterAll(closeTestDatabase);

it('the plain statement stores and gives the row that Prisma reads, with the first entry of its trail', async () => {
  const scope = await insertTeam();
  const property = await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }));
  const given = {
    property_id: property.id,
    guest_name: 'Zoë “Ana” O’Hara',
    guest_email: null,
    checkin_date: textToDay('2026-06-01'),
    checkout_date: textToDay('2026-06-04'),
    source: 'channel_a',
    status: 'synced',
    initial_status: 'synced',
    external_id: 'HMABC',
  } as const;
  const { row } = await inTransaction(scope, () => insertReservation(scope, given));
  const stored = await systemDb().reservation.findUniqueOrThrow({ where: { id: row.id } });
  expect(row).toEqual(stored);
  expect(stored).toMatchObject({ ...given, packet_id: null, version: 1, token_generation: 0, legal_hold: false });
  const trail = await systemDb().trailEntry.findMany({ where: { reservation_id: row.id } });
  expect(trail).toMatchObject([
    { seq: 1, type: 'reservation.created', data: { source: 'channel_a' }, prev_hash: null },
  ]);
});
