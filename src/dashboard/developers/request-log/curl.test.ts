import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { buildCurlCommand } from './curl';

const GET = {
  method: 'GET',
  path: '/v1/reservations',
  query: 'status=signed&limit=5',
  request_body: null,
  idempotency_key: null,
};

/** Parses the command as a shell does. Returns the arguments that curl would get. */
const argumentsOf = (command: string) =>
  execFileSync('sh', ['-c', `uuidgen() { echo fresh; }; curl() { printf '%s\\0' "$@"; }; ${command}`], {
    env: { ...process.env, THRESHOLD_API_KEY: 'the-key' },
  })
    .toString()
    .split('\0')
    .slice(0, -1);

it('a logged GET becomes the same request', () => {
  expect(argumentsOf(buildCurlCommand(GET, 'https://example.com'))).toEqual([
    'https://example.com/v1/reservations?status=signed&limit=5',
    '-H',
    'Authorization: Bearer the-key',
  ]);
});

it('a logged write keeps its body, whatever it contains, with a new idempotency key', () => {
  const request_body = JSON.stringify({ rules: [{ text: `Don't; $(touch /tmp/x) "\`id\`" \\ $HOME` }] });
  const asked = { ...GET, method: 'PATCH', query: null, request_body, idempotency_key: `old'; rm -rf "` };
  expect(argumentsOf(buildCurlCommand(asked, 'https://example.com'))).toEqual([
    '-X',
    'PATCH',
    'https://example.com/v1/reservations',
    '-H',
    'Authorization: Bearer the-key',
    '-H',
    'Idempotency-Key: fresh',
    '-H',
    'Content-Type: application/json',
    '--data-raw',
    request_body,
  ]);
});

it('a path with shell characters is quoted', () => {
  expect(
    argumentsOf(buildCurlCommand({ ...GET, path: `/v1/x';id;'$(id)`, query: null }, 'https://example.com'))[0],
  ).toBe(`https://example.com/v1/x';id;'$(id)`);
});
