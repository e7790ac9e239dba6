import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { cancelReservation } from '../service';
import { MAX_IMPORT_ROWS } from './file.rules';
import { importReservations, previewReservationImport } from './service';

let scope: Scope;
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  scope = await insertTeam();
  await createProperty(scope, PropertyCreate.parse({ name: 'Harbour Loft', timezone: 'Europe/Lisbon' }));
});

const input = (...lines: string[]) => ({
  text: ['property,guest_name,guest_email,checkin_date,checkout_date,booking_code', ...lines].join('\n'),
  property_id: null,
  day_first: true,
});
const ADA = 'Harbour Loft,Ada,ada@example.com,2027-05-04,2027-05-09,';
const GRACE = 'Harbour Loft,Grace,,2027-05-05,2027-05-09,HM1';
const rows = () => systemDb().reservation.findMany({ orderBy: { checkin_date: 'asc' } });

describe('an import', () => {
  it('creates a draft for each line, with trail and event, and no address when there is none', async () => {
    expect(await importReservations(scope, input(ADA, GRACE))).toEqual({ created: 2, skipped: 0 });
    expect(await rows()).toMatchObject([
      { guest_name: 'Ada', status: 'draft', guest_email: 'ada@example.com', external_id: null },
      { guest_name: 'Grace', status: 'draft', guest_email: null, external_id: 'HM1' },
    ]);
    const trail = await systemDb().trailEntry.findMany();
    expect(trail).toHaveLength(2);
    expect(trail).toMatchObject(
      [1, 2].map(() => ({ seq: 1, type: 'reservation.created', data: { source: 'direct' } })),
    );
    expect(new Set(trail.map((entry) => entry.reservation_id)).size).toBe(2);
    expect(await systemDb().event.count({ where: { type: 'reservation.created' } })).toBe(2);
  });

  it('with one invalid line creates nothing and names the line', async () => {
    const wrong = input(ADA, 'Harbour Loft,Bob,bob@,2027-05-04,2027-05-09,');
    await expect(importReservations(scope, wrong)).rejects.toMatchObject({
      code: 'invalid_field',
      param: 'text',
      message: 'Line 3: “bob@” is not an email address. Nothing was imported.',
    });
    expect(await rows()).toEqual([]);
    const preview = await previewReservationImport(scope, wrong);
    expect(preview).toMatchObject({ ready: 1, wrong: 1, problem: null });
  });

  it('with a date in the year 0 reports it on its line', async () => {
    const { lines } = await previewReservationImport(scope, input('Harbour Loft,Bob,,0000-05-04,0000-05-09,'));
    expect(lines[0]?.problems.map(({ field }) => field)).toEqual(['checkin_date', 'checkout_date']);
  });

  it('that fails halfway creates nothing', async () => {
    // The parser accepts a placeholder address, but creating the reservation is refused.
    const wrong = input(ADA, 'Harbour Loft,Bob,unknown+1@guest.invalid,2027-05-04,2027-05-09,');
    await expect(importReservations(scope, wrong)).rejects.toMatchObject({ code: 'invalid_field' });
    expect(await rows()).toEqual([]);
    expect(await systemDb().event.count({ where: { type: 'reservation.created' } })).toBe(0);
  });

  it('repeated, or run twice at once, creates no duplicates', async () => {
    await Promise.all([importReservations(scope, input(ADA, GRACE)), importReservations(scope, input(ADA, GRACE))]);
    expect(await importReservations(scope, input(ADA, GRACE))).toEqual({ created: 0, skipped: 2 });
    expect(await rows()).toHaveLength(2);
    expect(
      (await previewReservationImport(scope, input(ADA, GRACE))).lines.map(({ repeated }) => String(repeated)),
    ).toEqual(['This booking already exists.', 'This booking already exists.']);
  });

  it('creates a cancelled booking again', async () => {
    await importReservations(scope, input(ADA));
    await cancelReservation(scope, (await rows())[0]?.id as string);
    expect(await importReservations(scope, input(ADA))).toEqual({ created: 1, skipped: 0 });
  });

  it('finds only properties of its own team', async () => {
    const other = await insertTeam('live', 'other@example.com');
    const { lines } = await previewReservationImport(other, input(ADA));
    expect(lines[0]?.problems).toMatchObject([{ field: 'property', message: { key: 'no_property_called' } }]);
  });

  it('of the maximum number of lines stays within the time limit of a transaction', async () => {
    const many = Array.from(
      { length: MAX_IMPORT_ROWS },
      (_, n) => `Harbour Loft,Guest ${n},g${n}@example.com,2027-05-04,2027-05-09,`,
    );
    expect(await importReservations(scope, input(...many))).toEqual({ created: MAX_IMPORT_ROWS, skipped: 0 });
  }, 30_000);
});
