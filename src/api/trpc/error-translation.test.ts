import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { Prisma, scopedDb } from '@/infra/db/scoped-client';
import { inTransaction } from '@/infra/db/transaction';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertProperty, insertTeam } from '@/testing/team';
import { toAppError } from './error-translation';

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);

it('an object deleted while it is being referenced causes concurrent_edit, not an internal error', async () => {
  const { team_id, mode } = await insertTeam();
  const orphan = { id: 'pkt_1', team_id, mode, property_id: 'prop_gone', name: 'x', created_at: new Date(0) };
  const written = systemDb().packet.create({ data: { ...orphan, updated_at: new Date(0) } });
  expect(toAppError(await written.catch((error) => error)).code).toBe('concurrent_edit');

  const raw = systemDb().$executeRaw(
    Prisma.sql`INSERT INTO event_counters (team_id, mode) VALUES ('team_gone', 'live')`,
  );
  expect(toAppError(await raw.catch((error) => error)).code).toBe('concurrent_edit');

  // The foreign key to the signature is checked only when the transaction commits.
  const scope = { team_id, mode, actor: { kind: 'system' as const, name: 'test' } };
  const property_id = await insertProperty(scope);
  const stay = { checkin_date: new Date('2026-03-01'), checkout_date: new Date('2026-03-02') };
  const row = {
    id: 'res_1',
    property_id,
    guest_name: 'Ada',
    ...stay,
    created_at: new Date(0),
    updated_at: new Date(0),
  };
  const late = inTransaction(scope, () =>
    scopedDb(scope).reservation.create({
      data: { ...row, team_id, mode, signature_id: 'sig_gone', status: 'signed', signed_at: new Date(0) },
    }),
  );
  expect(toAppError(await late.catch((error) => error)).code).toBe('concurrent_edit');
});
