import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { parseCalendarDay } from '@/shared/calendar-day';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { insertReservations } from './import/create-many';
import { insertReservation } from './service';

beforeAll(async () => {
  await openTestDatabase();
  await clearDatabase();
});
afterAll(closeTestDatabase);

it('the raw insert stores and returns the row that Prisma reads, with its first trail entry', async () => {
  const scope = await insertTeam();
  const property = await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }));
  const given = {
    property_id: property.id,
    guest_name: 'Zoë “Ana” O’Hara',
    guest_email: null,
    checkin_date: parseCalendarDay('2026-06-01'),
    checkout_date: parseCalendarDay('2026-06-04'),
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

it('inserting many at once equals inserting one by one: same rows, trails and events, in order', async () => {
  const scope = await insertTeam('live', 'many@example.com');
  const property = await createProperty(scope, PropertyCreate.parse({ name: 'Loft' }));
  const given = ['2026-06-01', '2026-06-05', '2026-06-09'].map((from, index) => ({
    property_id: property.id,
    guest_name: `Guest “${index}”`,
    guest_email: null,
    // Only the second row has this column.
    ...(index === 1 && { guest_phone_last4: '1234' }),
    checkin_date: parseCalendarDay(from),
    checkout_date: parseCalendarDay('2026-07-01'),
    source: 'channel_a' as const,
    status: 'synced' as const,
    initial_status: 'synced' as const,
  }));
  const many = await inTransaction(scope, () => insertReservations(scope, given));
  const singly = [];
  for (const one of given) singly.push((await inTransaction(scope, () => insertReservation(scope, one))).row);
  const plain = (row: object) => ({ ...row, id: null, created_at: null, updated_at: null });
  expect(many.map(plain)).toEqual(singly.map(plain));
  const ids = [...many, ...singly].map(({ id }) => id);
  const stored = await systemDb().reservation.findMany({ where: { id: { in: ids } } });
  expect(many).toEqual(many.map(({ id }) => stored.find((row) => row.id === id)));
  const trails = await systemDb().trailEntry.findMany({ where: { team_id: scope.team_id } });
  expect(ids.map((id) => trails.filter((entry) => entry.reservation_id === id))).toMatchObject(
    ids.map(() => [{ seq: 1, prev_hash: null }]),
  );
  const where = { team_id: scope.team_id, type: 'reservation.created' };
  const events = await systemDb().event.findMany({ where, orderBy: { sequence: 'asc' } });
  expect(events.map(({ object_id }) => object_id)).toEqual(ids);
  const bodies = events.map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ sequence }) => sequence)).toEqual(events.map(({ sequence }) => Number(sequence)));
  const shape = ({ data, ...body }: { data: { object: object } }) => [Object.keys(body), Object.keys(data.object)];
  expect(shape(bodies[0])).toEqual(shape(bodies[3]));
});
