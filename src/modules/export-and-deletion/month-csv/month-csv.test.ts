/** Exports a month as CSV and reads it with an independent parser. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as downloadMonth } from '@/app/api/month.csv/route';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { createTeam } from '@/modules/accounts/service';
import { redactCertificate } from '@/modules/certificates/privacy/service';
import {
  insertSealedCertificate,
  insertSentReservation,
  signAsGuest,
  TEST_GUEST,
} from '@/modules/certificates/testing/signed';
import { updatePacket } from '@/modules/packets/service';
import { parseCsv } from '@/modules/reservations/import/csv.rules';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { DASHBOARD_TEST_ORIGIN, signIn } from '@/testing/auth';
import { installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { formatMinorUnits, streamMonthCsv } from './month-csv';
import type { MonthCsvExportQuery } from './schemas';

let scope: Scope;
beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: DASHBOARD_TEST_ORIGIN });
  // It is 00:30 on the first of May in Lisbon, and still April in UTC.
  installFakeClock('2026-04-30T23:30:00.000Z');
  scope = await insertTeam();
});
afterAll(async () => {
  setClock(null);
  await closeTestDatabase();
});

async function text(query: MonthCsvExportQuery): Promise<string> {
  let all = '';
  for await (const part of streamMonthCsv(scope, query)) all += part;
  return all;
}

/** Returns the rows as objects, keyed by column name. */
async function rows(query: MonthCsvExportQuery): Promise<Record<string, string>[]> {
  const all = await text(query);
  expect(all.startsWith('\uFEFF')).toBe(true);
  const parsed = parseCsv(all.slice(1));
  if (!parsed.ok) throw new Error(String(parsed.message));
  const [head = [], ...lines] = parsed.records.map(({ cells }) => cells);
  return lines.map((line) => Object.fromEntries(head.map((name, index) => [name, line[index] ?? ''])));
}

describe('a month’s CSV file', () => {
  it('has reservations by check-in, formulas as text, and times in the property’s zone', async () => {
    const { reservation_id, property_id } = await insertSentReservation(scope, {
      ...TEST_GUEST,
      name: '=HYPERLINK("x")',
    });
    await systemDb().property.update({ where: { id: property_id }, data: { timezone: 'Europe/Lisbon' } });
    await insertSentReservation(scope);
    const all = await rows({ kind: 'reservations', month: '2026-05' });
    expect(all).toHaveLength(2);
    const [row] = await rows({ kind: 'reservations', month: '2026-05', property: property_id });
    expect(row).toMatchObject({
      Reservation: reservation_id,
      Guest: `'=HYPERLINK("x")`,
      'Check-in': '2026-05-10',
      'Check-out': '2026-05-14',
      Nights: '4',
      Sent: '2026-05-01 00:30',
      'Time zone': 'Europe/Lisbon',
    });
    expect(await rows({ kind: 'reservations', month: '2026-04' })).toEqual([]);
  });

  it('has fees as decimals with their currency, and no fee that was added after signing', async () => {
    const set = async (property_id: string, amount_cents: number, currency: string) => {
      const { id } = await systemDb().packet.findFirstOrThrow({ where: { property_id } });
      const fees = [{ label: 'Cleaning', amount_cents, unit: 'per_stay', type: 'mandatory_cleaning' }];
      await updatePacket(scope, id, { fees, currency } as never, { if_match: null });
    };
    const open = await insertSentReservation(scope);
    await set(open.property_id, 123_450, 'JPY');
    const signed = await insertSealedCertificate(scope);
    await set(signed.property_id, 999, 'EUR');
    const fees = await rows({ kind: 'fees', month: '2026-05', property: open.property_id });
    expect(fees).toMatchObject([{ Fee: 'Cleaning', Amount: '123450', Currency: 'JPY', Agreed: 'no' }]);
    // The guest signed before the fee was added, so no fee was agreed.
    expect(await rows({ kind: 'fees', month: '2026-05', property: signed.property_id })).toEqual([]);
  });

  it('has the amounts and currency that a guest signed, even if the packet changed since', async () => {
    const { property_id, reservation_id } = await insertSentReservation(scope);
    const { id } = await systemDb().packet.findFirstOrThrow({ where: { property_id } });
    const change = (fees: { label: string; amount_cents: number }[], currency: string) =>
      updatePacket(scope, id, { fees, currency }, { if_match: null });
    const agreed = [
      { label: 'Late check-out', amount_cents: 5_005 },
      { label: 'Lost key', amount_cents: 120_000 },
    ];
    await change(agreed, 'EUR');
    await signAsGuest(scope, reservation_id);
    await change([{ label: 'Late check-out', amount_cents: 9_999 }], 'JPY');
    const shown = await rows({ kind: 'fees', month: '2026-05', property: property_id });
    expect(shown.map(({ Fee, Amount, Currency, Agreed }) => [Fee, Amount, Currency, Agreed])).toEqual([
      ['Late check-out', '50.05', 'EUR', 'yes'],
      ['Lost key', '1200.00', 'EUR', 'yes'],
    ]);
  });

  it('has certificates by the month of signing in the property’s zone, redacted ones without a name', async () => {
    const { property_id, signature_id } = await insertSealedCertificate(scope);
    await systemDb().property.update({ where: { id: property_id }, data: { timezone: 'Europe/Lisbon' } });
    const of = (month: string) => rows({ kind: 'certificates', month, property: property_id });
    expect(await of('2026-04')).toEqual([]);
    expect(await of('2026-05')).toMatchObject([
      { Certificate: signature_id, 'Signed by': TEST_GUEST.name, Signed: '2026-05-01 00:30', 'Legal hold': 'no' },
    ]);
    await redactCertificate(scope, signature_id);
    expect(await of('2026-05')).toMatchObject([{ 'Signed by': 'Redacted guest' }]);
  });

  it('is produced page by page, with each row once', async () => {
    const { reservation_id, property_id } = await insertSentReservation(scope);
    const { signing_token_hash: _, ...row } = await systemDb().reservation.findUniqueOrThrow({
      where: { id: reservation_id },
    });
    await systemDb().reservation.createMany({
      data: Array.from({ length: 1_100 }, (_none, index) => ({
        ...row,
        metadata: {},
        id: `res_copy_${String(index).padStart(5, '0')}`,
      })),
    });
    const parts: string[] = [];
    for await (const part of streamMonthCsv(scope, { kind: 'reservations', month: '2026-05', property: property_id }))
      parts.push(part);
    expect(parts).toHaveLength(4);
    const ids = (await rows({ kind: 'reservations', month: '2026-05', property: property_id })).map(
      (one) => one.Reservation,
    );
    expect(new Set(ids).size).toBe(1_101);
  });
});

it.each([
  ['owner', 200],
  ['manager', 200],
  ['co_host', 403],
  ['developer', 403],
])('a download by a member with the role %s returns %i', async (role, status) => {
  const { team_id } = scope;
  const email = `${role}@members.example.com`;
  await createTeam({ name: role, owner_email: email, owner_password: 'correct horse battery' });
  const { id } = await systemDb().user.findUniqueOrThrow({ where: { email } });
  await systemDb().member.create({ data: { id: `mem_${role}`, organizationId: team_id, userId: id, role } });
  const headers = await signIn(email, 'correct horse battery');
  const query = new URLSearchParams({ team: team_id, mode: 'live', kind: 'reservations', month: '2026-05' });
  const answer = await downloadMonth(new Request(`${DASHBOARD_TEST_ORIGIN}/api/month.csv?${query}`, { headers }));
  expect(answer.status).toBe(status);
});

// The limit is six downloads. Bursts of twice the limit are allowed, so the thirteenth download is
// refused.
it('downloads count against the limit of the dashboard’s calls', async () => {
  const email = 'often@members.example.com';
  await createTeam({ name: 'Often', owner_email: email, owner_password: 'correct horse battery' });
  const headers = await signIn(email, 'correct horse battery');
  setConfig({ rate_limit_read_per_minute: 1 });
  const ask = () => downloadMonth(new Request(`${DASHBOARD_TEST_ORIGIN}/api/month.csv?team=x&mode=live`, { headers }));
  const answers = [];
  for (let turn = 0; turn < 13; turn += 1) answers.push(await ask());
  expect(answers[0]?.status).toBe(401);
  expect(answers.at(-1)?.status).toBe(429);
  expect(Number(answers.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
});

it.each([
  [123_450, 'EUR', '1234.50'],
  [5, 'EUR', '0.05'],
  [-5, 'EUR', '-0.05'],
  [0, 'JPY', '0'],
  [1_234, 'KWD', '1.234'],
])('formats %i minor units of %s as %s', (amount, currency, shown) =>
  expect(formatMinorUnits(amount, currency)).toBe(shown),
);
