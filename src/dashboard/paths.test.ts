import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { getSafeRedirectPath, paths } from './paths';

const me = { team: { id: 'team_1', name: 'One', plan: 'pro' as const }, mode: 'test' as const };
const filesWith = (text: RegExp, folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file))
    .filter((file) => text.test(readFileSync(`${folder}/${file}`, 'utf8')))
    .sort();

it('a download URL contains the page’s team and mode, and its filters', () => {
  expect(paths.certificates_zip(me, { search: 'Grace', property: undefined })).toBe(
    '/api/certificates.zip?team=team_1&mode=test&search=Grace',
  );
  expect(paths.audit_log_csv(me, {})).toBe('/api/audit-log.csv?team=team_1&mode=test');
});

it('links into /api are built in one module, and no download takes team and mode from the session', () => {
  expect(filesWith(/['"`]\/api\//, 'src/dashboard')).toEqual(['accounts/auth-client.ts', 'paths.ts', 'trpc.tsx']);
  expect(filesWith(/readSessionContext\(/, 'src/app/api')).toEqual(['trpc/[trpc]/route.ts']);
  expect(filesWith(/readSessionContext\(/, 'src/modules')).toEqual(['accounts/session.ts']);
});

it.each([
  ['/reservations?status=sent', '/reservations?status=sent'],
  ['//evil.example/', '/'],
  ['/\\evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['/\n/evil.example', '/'],
  ['/.//evil.example', '/'],
  ['/settings\r\nX-Header: 1', '/settingsX-Header:%201'],
  ['https://evil.example/', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
  [null, '/'],
  [undefined, '/'],
])('after signing in, next=%s leads to %s', (next, target) => {
  expect(getSafeRedirectPath(next)).toBe(target);
});
