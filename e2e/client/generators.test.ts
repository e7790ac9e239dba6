/**
 * Tests the OpenAPI document with the code generators that integrators use. The code that hey-api
 * and orval generate must compile and run the arrival-release recipe.
 *
 * @module-tag exhaustive
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ApiTestContext, openApiTestContext } from '../api/test-context';
import { type InstalledNpmPackages, installNpmPackages } from '../support/npm-packages';
import { createTemporaryFolder, runProgram } from '../support/samples';

const run = promisify(execFile);
/** These are the newest generator versions that run on the oldest supported version of Node. */
const PACKAGES = { '@hey-api/openapi-ts': '0.95.0', orval: '7.21.0' };
const DOCUMENT = path.resolve('docs/openapi.json');

let installed: InstalledNpmPackages;
let world: ApiTestContext;
beforeAll(async () => {
  installed = await installNpmPackages('generators', PACKAGES);
  world = await openApiTestContext();
});
afterAll(() => world.close());

/** The generated files, and the arrival-release recipe written with each generator's functions. */
const GENERATORS = {
  'hey-api': {
    async generate(cwd: string) {
      const bin = installed.file('@hey-api/openapi-ts/bin/run.js');
      await run(process.execPath, [bin, '-i', DOCUMENT, '-o', 'api', '-c', '@hey-api/client-fetch'], { cwd });
    },
    recipe: `
import { client } from './api/client.gen';
import { packetsUpdateDefault, propertiesCreate, reservationsCreate, reservationsList, reservationsSend } from './api/sdk.gen';
import type { Event, Reservation } from './api/types.gen';

client.setConfig({ baseUrl: process.env.API, headers: { Authorization: 'Bearer ' + process.env.THRESHOLD_KEY } });
const { data: property } = await propertiesCreate({ body: { name: 'Harbour Loft' }, throwOnError: true });
await packetsUpdateDefault({
  path: { id: property.id },
  body: { arrival_details: { door_code: '4711' }, arrival_release: { door_code: 'after_signing' } },
  throwOnError: true,
});
const { data: reservation } = await reservationsCreate({ body: STAY, throwOnError: true });
const { data: sent } = await reservationsSend({ path: { id: reservation.id }, throwOnError: true });
const { data: list } = await reservationsList({ query: { status: 'sent', limit: 10 }, throwOnError: true });
const statuses: Reservation['status'][] = list.data.map(({ status }) => status);
const { error } = await propertiesCreate({ body: { name: '' } });
export const certificate = (event: Event) => (event.type === 'reservation.signed' ? event.data.certificate_id : null);
// @ts-expect-error: the name is required.
export const wrong = () => propertiesCreate({ body: {} });
console.log(sent.arrival_release_state, statuses.join(), error?.error.code);
`,
  },
  orval: {
    async generate(cwd: string) {
      const output = { target: 'api.ts', client: 'fetch', mode: 'single', baseUrl: world.api.url };
      const config = JSON.stringify({ threshold: { input: DOCUMENT, output } });
      writeFileSync(path.join(cwd, 'orval.config.mjs'), `export default ${config};`);
      const bin = installed.file('orval/dist/bin/orval.js');
      await run(process.execPath, [bin, '--config', 'orval.config.mjs'], { cwd });
    },
    recipe: `
import { packetsUpdateDefault, propertiesCreate, reservationsCreate, reservationsList, reservationsSend } from './api';
import type { Event, Reservation } from './api';

const options = { headers: { Authorization: 'Bearer ' + process.env.THRESHOLD_KEY, 'Content-Type': 'application/json' } };
const created = await propertiesCreate({ name: 'Harbour Loft' }, options);
if (created.status !== 201) throw new Error(created.data.error.code);
const property = created.data;
await packetsUpdateDefault(
  property.id,
  { arrival_details: { door_code: '4711' }, arrival_release: { door_code: 'after_signing' } },
  options,
);
const made = await reservationsCreate(STAY, options);
if (made.status !== 201) throw new Error(made.data.error.code);
const sent = await reservationsSend(made.data.id, options);
if (sent.status !== 200) throw new Error(sent.data.error.code);
const list = await reservationsList({ status: 'sent', limit: 10 }, options);
if (list.status !== 200) throw new Error(list.data.error.code);
const statuses: Reservation['status'][] = list.data.data.map(({ status }) => status);
const refused = await propertiesCreate({ name: '' }, options);
export const certificate = (event: Event) => (event.type === 'reservation.signed' ? event.data.certificate_id : null);
// @ts-expect-error: the name is required.
export const wrong = () => propertiesCreate({}, options);
console.log(sent.data.arrival_release_state, statuses.join(), refused.status === 400 ? refused.data.error.code : '');
`,
  },
};

const STAY = `{ property_id: property.id, guest_name: 'Ada Lovelace', guest_email: 'ada@example.com',
  checkin_date: '2030-05-01', checkout_date: '2030-05-05' }`;

it.for(Object.entries(GENERATORS))(
  'generated by %s compiles and walks the recipe',
  async ([, { generate, recipe }], { skip }) => {
    skip(installed.missing !== '', installed.missing);
    const cwd = createTemporaryFolder();
    await generate(cwd);
    writeFileSync(path.join(cwd, 'main.ts'), recipe.replace('STAY', STAY));
    const compiler = path.resolve('node_modules/typescript/bin/tsc');
    const settings = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'ES2022', '--module', 'ESNext'];
    const types = [
      '--moduleResolution',
      'bundler',
      '--types',
      'node',
      '--typeRoots',
      path.resolve('node_modules/@types'),
    ];
    const compiled = await run(process.execPath, [compiler, ...settings, ...types, 'main.ts'], { cwd }).catch(
      (error: { stdout: string }) => error,
    );
    expect(compiled.stdout).toBe('');
    const outfile = path.join(cwd, 'main.mjs');
    await build({ entryPoints: [path.join(cwd, 'main.ts')], bundle: true, format: 'esm', platform: 'node', outfile });
    const environment = { API: world.api.url, THRESHOLD_KEY: world.team.test };
    const ended = await runProgram(process.execPath, [outfile], cwd, environment);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout.trim()).toMatch(/^ready_to_hold sent(,sent)* missing_required_field$/);
  },
);
