import { beforeEach, expect, test, vi } from 'vitest';

let getPreparedStatementName: typeof import('./connect').getPreparedStatementName;
// Reloads the module, because names are limited per process and earlier tests ran statements too.
beforeEach(async () => {
  vi.resetModules();
  ({ getPreparedStatementName } = await import('./connect'));
});

test('a text always has the same name, short enough for PostgreSQL and different from others', () => {
  const name = getPreparedStatementName('select 1');
  expect(name).toMatch(/^[\w-]{1,63}$/);
  expect(getPreparedStatementName('select 1')).toBe(name);
  expect(getPreparedStatementName('select 2')).not.toBe(name);
});

test('a batch is not prepared, because its text varies with its length', () => {
  expect(getPreparedStatementName(`insert into t values ${'(1),'.repeat(3_000)}(1)`)).toBeUndefined();
});

test('the number of names is limited, and existing names stay', () => {
  const first = getPreparedStatementName('select 1');
  const names = Array.from({ length: 1_000 }, (_, i) => getPreparedStatementName(`select ${i} as bounded`));
  expect(names.filter((name) => name !== undefined).length).toBeLessThan(650);
  expect(names.at(-1)).toBeUndefined();
  expect(getPreparedStatementName('select 1')).toBe(first);
});
