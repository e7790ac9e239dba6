import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findTestFilesByName } from '../../stress/mutation/sources';

const rows = readFileSync('SECURITY.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| who |'))
  .map((line) => line.split('|').slice(1, -1));

it('every row of the threat table names existing tests', () => {
  expect(rows.length).toBeGreaterThan(20);
  for (const [, attack = '', , shown = ''] of rows) {
    const names = [...shown.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.split('/').at(-1) ?? '');
    expect(names.length, attack).toBeGreaterThan(0);
    for (const name of names.filter((one) => !one.includes('*') && one !== 'setup.ts'))
      expect(findTestFilesByName([name]), `${attack}: ${name}`).not.toEqual([]);
  }
});
