/**
 * Checks docs/openapi.json with two linters: Redocly's recommended rules and Spectral's `oas`
 * ruleset.
 *
 * @module-tag exhaustive
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { type InstalledNpmPackages, installNpmPackages } from '../support/npm-packages';

const run = promisify(execFile);
const lint = async (bin: string, ...args: string[]) => {
  const result = await run(process.execPath, [bin, 'lint', 'docs/openapi.json', ...args], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  }).catch((error) => error);
  return `${result.stdout}${result.stderr}`;
};

const LINTERS = { '@redocly/cli': '2.77.0', '@stoplight/spectral-cli': '6.16.3' };
let linters: InstalledNpmPackages;
beforeAll(async () => {
  linters = await installNpmPackages('linters', LINTERS);
}, 240_000);

it('redocly lint (recommended) reports no errors and no warnings', async ({ skip }) => {
  skip(linters.missing !== '', linters.missing);
  const output = await lint(linters.file('@redocly/cli/bin/cli.js'));
  expect(output).toContain('Your API description is valid');
  expect(output).not.toMatch(/You have \d+ warning/);
}, 120_000);

it('spectral lint (oas) reports nothing', async ({ skip }) => {
  skip(linters.missing !== '', linters.missing);
  const output = await lint(
    linters.file('@stoplight/spectral-cli/dist/index.js'),
    '--ruleset',
    '.spectral.yaml',
    '--fail-severity',
    'hint',
  );
  expect(output).toContain('No results');
}, 120_000);
