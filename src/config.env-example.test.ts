import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const read = (name: string) => readFileSync(join(process.cwd(), name), 'utf8');

test('.env.example lists every variable of the configuration, and no other', () => {
  const known = [...read('src/environment.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm)].map((match) => match[1]);
  const listed = [...read('.env.example').matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1]);
  expect(known).toContain('DATABASE_URL');
  expect([...new Set(listed)].sort()).toEqual([...known].sort());
});

test('compose.yaml passes the whole .env file to the app', () => {
  expect(read('compose.yaml')).toMatch(/^ {2}env_file: \.env$/m);
});
