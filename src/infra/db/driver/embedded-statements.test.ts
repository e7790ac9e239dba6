import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStatementPreparingClient, type PgliteClientMethods } from './embedded-statements';

let pglite: PGlite;
let client: PgliteClientMethods;

beforeAll(async () => {
  pglite = await PGlite.create();
  client = await createStatementPreparingClient(pglite);
  await pglite.exec(`CREATE TABLE things (id int PRIMARY KEY, name text, at timestamptz, day date, big int8, price numeric(9, 2),
    given jsonb, bytes bytea, flags text[], on_or_off bool, half float8)`);
});
afterAll(() => pglite.close());

const prepared = async () =>
  (await pglite.query<{ statement: string }>('SELECT statement FROM pg_prepared_statements')).rows.map(
    ({ statement }) => statement,
  );

const INSERT = `INSERT INTO things (id, name, at, day, big, price, given, bytes, flags, on_or_off, half)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
const everyKind = (id: number) => [
  id,
  'Łukasz ’n’ \\ "co"',
  '2026-05-02 22:30:00.123',
  '2026-05-02',
  9_007_199_254_740_993n,
  '12.30',
  { a: [1, null, 'x'] },
  new Uint8Array([0, 255, 39, 92, 10]),
  ['a', 'b c', '{"'],
  true,
  0.5,
];

it('writes and reads every kind of value as PGlite itself does, also in prepared statements', async () => {
  for (const id of [1, 2, 3]) expect(await client.query(INSERT, everyKind(id))).toMatchObject({ affectedRows: 1 });
  await client.query(INSERT, [4, ...Array(10).fill(null)]);
  await client.query(INSERT, [5, '', null, null, null, null, 'null', new Uint8Array(), [], false, -0]);
  const text = 'SELECT * FROM things WHERE id >= $1 ORDER BY id';
  for (const rowMode of ['array', 'object'] as const) {
    const parsers = { 1082: (day: string) => `day ${day}` };
    const expected = await pglite.query(text, [1], { rowMode, parsers });
    for (let time = 0; time < 3; time++)
      expect(await client.query(text, [1], { rowMode, parsers })).toEqual({ ...expected, affectedRows: 0 });
  }
  expect(await prepared()).toEqual(expect.arrayContaining([INSERT, text]));
});

it('prepares a text on its second use, and a long text never', async () => {
  const once = 'SELECT 1 AS once';
  const long = `SELECT '${'x'.repeat(9_000)}' AS long`;
  await client.query(once);
  for (let time = 0; time < 3; time++) await client.query(long);
  expect(await prepared()).not.toContain(once);
  expect(await prepared()).not.toContain(long);
  await client.transaction((tx) => tx.query(once));
  expect(await prepared()).toContain(once);
});

it('keeps frequently used statements prepared, up to a limit', async () => {
  const hot = 'SELECT 1 AS hot';
  for (let time = 0; time < 2; time++) await client.query(hot);
  for (let n = 0; n < 450; n++) {
    for (let time = 0; time < 2; time++) expect((await client.query(`SELECT ${n} AS n`)).rows).toEqual([{ n }]);
    if (n % 100 === 0) await client.query(hot);
  }
  for (let n = 0; n < 2_100; n++) await client.query(`SELECT ${n} AS once`);
  const names = await prepared();
  expect(names.length).toBeLessThanOrEqual(400);
  expect(names).toContain(hot);
  expect(names).toContain('SELECT 449 AS n');
  expect(names).not.toContain('SELECT 0 AS n');
  expect((await client.query('SELECT 0 AS n')).rows).toEqual([{ n: 0 }]);
});

it('an error is the database’s own, and the next statement works', async () => {
  const values = everyKind(1);
  for (let time = 0; time < 3; time++) {
    await expect(client.query(INSERT, values)).rejects.toMatchObject({ code: '23505' });
    await expect(client.query('SELECT nonsense')).rejects.toMatchObject({ code: '42703' });
    await expect(client.query('SELECT $1::int AS n', ['x'])).rejects.toMatchObject({ code: '22P02' });
    expect((await client.query('SELECT $1::int AS n', [time])).rows).toEqual([{ n: time }]);
  }
});

it('an error in a transaction rolls all of it back', async () => {
  const rename = (name: string) => client.query('UPDATE things SET name = $1 WHERE id = 2', [name]);
  await rename('before');
  const broken = client.transaction(async (tx) => {
    await tx.query('UPDATE things SET name = $1 WHERE id = 2', ['after']);
    await tx.query(INSERT, everyKind(1));
  });
  await expect(broken).rejects.toMatchObject({ code: '23505' });
  expect((await client.query('SELECT name FROM things WHERE id = 2')).rows).toEqual([{ name: 'before' }]);
});

it('a statement outside a transaction waits until the transaction ends', async () => {
  const count = 'SELECT count(*)::int AS n FROM things WHERE name = $1';
  const read = async () => (await client.query<{ n: number }>(count, ['inside'])).rows[0]?.n;
  await read();
  let beside: Promise<number | undefined> | undefined;
  await client.transaction(async (tx) => {
    await tx.query('UPDATE things SET name = $1 WHERE id = 3', ['inside']);
    beside = read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await tx.query('UPDATE things SET name = $1 WHERE id = 4', ['inside']);
  });
  expect(await beside).toBe(2);
});

it('prepared statements survive changes of their tables', async () => {
  const text = 'SELECT * FROM changing';
  await pglite.exec('CREATE TABLE changing (a int); INSERT INTO changing VALUES (1)');
  for (let time = 0; time < 3; time++) expect((await client.query(text)).rows).toEqual([{ a: 1 }]);
  await pglite.exec('ALTER TABLE changing ADD COLUMN b text');
  for (let time = 0; time < 3; time++) expect((await client.query(text)).rows).toEqual([{ a: 1, b: null }]);
  await pglite.exec('DEALLOCATE ALL');
  for (let time = 0; time < 3; time++) expect((await client.query(text)).rows).toEqual([{ a: 1, b: null }]);
});
