/** The committed document under two linters: Redocly's recommended rules and Spectral's `oas` ruleset. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const run = promisify(execFile);
const lint = async (bin: string, ...args: string[]) => {
  const result = await run(process.execPath, [bin, 'lint', 'docs/openapi.json', ...args], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  }).catch((error) => error);
  return `${result.stdout}${result.stderr}`;
};

it('redocly lint (recommended): no error and no warning', async () => {
  const output = await lint('node_modules/@redocly/cli/bin/cli.js');
  expect(output).toContain('Your API description is valid');
  expect(output).not.toMatch(/You have \d+ warning/);
}, 120_000);

it('spectral lint (oas): nothing to say', async () => {
  const output = await lint(
    'node_modules/@stoplight/spectral-cli/dist/index.js',
    '--ruleset',
    '.spectral.yaml',
    '--fail-severity',
    'hint',
  );
  expect(output).toContain('No results');
}, 120_000);
