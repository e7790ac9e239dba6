/**
 * Tests the client as a package. It must have every operation, be small and use only web standards.
 * The result of `npm pack` must compile and run.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inlineOpenApiComponentReferences } from '@/api/openapi-components';
import { isProgramInstalled } from '@/modules/certificates/testing/tools';
import { buildWebhookSignatureHeaders, generateSigningSecret } from '@/modules/webhooks/delivery/signature.rules';
import * as operations from '../../packages/client/src/operations';
import { type StubServer, startStubServer, TEST_API_KEY } from './support';

const PACKAGE = path.resolve('packages/client');
const run = promisify(execFile);

async function bundled(options: object): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(PACKAGE, 'src/index.ts')],
    bundle: true,
    write: false,
    // With a neutral platform, importing a module of Node or of browsers is an error.
    platform: 'neutral',
    ...options,
  });
  return outputFiles?.[0]?.text ?? '';
}

describe('the client’s operations', () => {
  interface Described {
    operationId: string;
    requestBody?: unknown;
    parameters?: { in?: string }[];
    responses: Record<string, { content?: { 'application/json'?: { schema: { $ref?: string } } } }>;
  }
  const document = inlineOpenApiComponentReferences(JSON.parse(readFileSync('docs/openapi.json', 'utf8')));
  const described = Object.entries(document.paths as Record<string, Record<string, Described>>).flatMap(
    ([route, methods]) => Object.entries(methods).map(([verb, operation]) => ({ route, verb, operation })),
  );

  it('match the OpenAPI document: name, method, path, and body or query', () => {
    const ours = Object.entries(operations).flatMap(([group, rows]) =>
      Object.entries(rows).map(([name, row]) => [
        `${group.replace(/_OPERATIONS$/, '').toLowerCase()}_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
        row,
      ]),
    );
    const theirs = described.map(({ route, verb, operation }) => {
      const queries = operation.parameters?.some((one) => one.in === 'query');
      const input = operation.requestBody ? ' body' : queries ? ' query' : '';
      return [operation.operationId, `${verb.toUpperCase()} ${route}${input}`];
    });
    expect(ours.sort()).toEqual(theirs.sort());
  });

  it('return a list exactly when their name contains "list"', () => {
    for (const { operation } of described) {
      const name = operation.responses[200]?.content?.['application/json']?.schema.$ref?.split('/').at(-1) ?? '';
      const is_list = document.components.schemas[name]?.properties?.has_more !== undefined;
      const remedy = `Rename the procedure of ${operation.operationId}, to list or list_… if it returns a list.`;
      expect(/_list(_|$)/.test(operation.operationId), remedy).toBe(is_list);
    }
  });
});

describe('the package', () => {
  it('has no dependencies, and is private so that nobody publishes it by accident', () => {
    const manifest = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'));
    expect([manifest.name, manifest.private]).toEqual(['@threshold/client', true]);
    expect(Object.keys(manifest).filter((key) => /dependencies$/i.test(key))).toEqual([]);
  });

  it('is under 10 KB minified', async () => {
    const text = await bundled({ minify: true, format: 'esm' });
    expect(text.length).toBeGreaterThan(3_000);
    const remedy = 'Shorten the client, or raise the limit here and in docs/guide/client.md.';
    expect(Buffer.byteLength(text), remedy).toBeLessThan(10_000);
  });
});

describe('the <threshold-sign> element', () => {
  it('is a separate file under 3 KB, which the rest of the package does not import', async () => {
    const element = await bundled({ entryPoints: [path.join(PACKAGE, 'src/sign.ts')], minify: true, format: 'esm' });
    expect(element).toContain('threshold-sign');
    expect(Buffer.byteLength(element)).toBeLessThan(3_000);
    expect(await bundled({ minify: true, format: 'esm' })).not.toContain('threshold-sign');
  });

  it('can be imported on a server without custom elements', async () => {
    const code = await bundled({
      entryPoints: [path.join(PACKAGE, 'src/sign.ts')],
      format: 'iife',
      globalName: 'sign',
    });
    expect(runInContext(`${code};typeof sign.ThresholdSign`, createContext({}))).toBe('function');
  });
});

describe('in a runtime with web standards only', () => {
  /** The globals that Workers, Deno, Bun and Node share. */
  const WEB = { AbortController, Headers, URL, URLSearchParams, TextDecoder, TextEncoder, atob, crypto, fetch };
  const secret = generateSigningSecret();
  let stub: StubServer;
  beforeEach(async () => {
    stub = await startStubServer();
  });
  afterEach(() => stub.close());

  it('the client sends requests and verifies webhooks', async () => {
    const context = createContext({ ...WEB, setTimeout, clearTimeout });
    const client = runInContext(
      `${await bundled({ format: 'iife', globalName: 'client' })};client`,
      context,
    ) as typeof import('@threshold/client');
    const threshold = new client.Threshold({ apiKey: TEST_API_KEY, baseUrl: `${stub.origin}/v1` });
    expect(await threshold.properties.create({ name: 'Harbour Loft' })).toMatchObject({ id: 'prop_1' });
    const body = '{"id":"evt_1"}';
    const headers = buildWebhookSignatureHeaders({ event_id: 'evt_1', body, secrets: [secret], now: new Date() });
    expect(await client.webhooks.verify(body, { ...headers }, secret)).toEqual({ id: 'evt_1' });
  });
});

describe('the result of `npm pack`', () => {
  let folder: string;
  let stub: StubServer;

  beforeAll(async () => {
    stub = await startStubServer();
    folder = mkdtempSync(path.join(tmpdir(), 'threshold-client-'));
    // Packs a copy of the package, so that nothing changes in the folders that other tests read.
    const source = path.join(folder, 'source');
    cpSync(PACKAGE, source, { recursive: true, filter: (file) => !/[\\/](dist|node_modules)$/.test(file) });
    symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    // Builds without `prepack`, which would install the repository's packages again.
    await run('npm', ['run', 'build'], { cwd: source });
    const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
    const { stdout } = await run('npm', pack, { cwd: source });
    const [{ filename, files } = expect.fail()] = JSON.parse(stdout.slice(stdout.indexOf('[')));
    expect(files.map((file: { path: string }) => file.path)).toEqual(
      expect.arrayContaining([
        'README.md',
        'package.json',
        'dist/index.js',
        'dist/index.d.ts',
        'dist/schema.d.ts',
        'dist/sign.js',
        'dist/cjs/package.json',
        'dist/cjs/index.js',
        'dist/cjs/index.d.ts',
      ]),
    );
    expect(files.filter((file: { path: string }) => /^(src|tsconfig)/.test(file.path))).toEqual([]);
    const installed = path.join(folder, 'app/node_modules/@threshold/client');
    mkdirSync(installed, { recursive: true });
    await run('tar', ['-xzf', path.join(folder, filename), '-C', installed, '--strip-components=1']);
    writeFileSync(path.join(folder, 'app/package.json'), '{"type":"module"}');
    writeFileSync(path.join(folder, 'app/main.ts'), MAIN);
  });
  afterAll(async () => {
    await stub.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const MAIN = `
import { NotFoundError, Threshold, webhooks, type EventOf, type Reservation } from '@threshold/client';

const threshold = new Threshold({ apiKey: '${TEST_API_KEY}', baseUrl: 'ORIGIN/v1' });
export const signed = (event: EventOf<'reservation.signed'>): string | null => event.data.certificate_id;
export async function names(): Promise<string[]> {
  const all: Reservation[] = [];
  for await (const reservation of threshold.reservations.list({ status: 'sent' })) all.push(reservation);
  return all.map(({ guest_name }) => guest_name);
}
// @ts-expect-error: there is no such field.
export const wrong = () => threshold.properties.create({ nam: 'Harbour Loft' });
const property = await threshold.properties.create({ name: 'Harbour Loft' });
console.log(property.id, typeof webhooks.verify, NotFoundError.name);
`;

  it('compiles under the strictest settings of both compilers, with and without Node’s types', async () => {
    const strictest = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, outDir: 'out' };
    const cwd = path.join(folder, 'app');
    for (const world of [
      { compiler: 'typescript', module: 'ESNext', moduleResolution: 'bundler', types: [], lib: ['ES2023', 'DOM'] },
      { compiler: 'typescript-native', module: 'NodeNext', types: ['node'], lib: ['ES2023'] },
    ]) {
      const { compiler: name, ...options } = world;
      const config = { compilerOptions: { ...strictest, target: 'ES2022', ...options }, files: ['main.ts'] };
      writeFileSync(path.join(cwd, 'tsconfig.json'), JSON.stringify(config));
      const compiler = path.resolve(`node_modules/${name}/bin/tsc`);
      const ended = await run(process.execPath, [compiler], { cwd }).catch((error: { stdout: string }) => error);
      expect(ended.stdout).toBe('');
    }
  });

  it.for(['node', 'deno', 'bun'])('runs on %s once installed', async (runtime, { skip }) => {
    skip(!isProgramInstalled(runtime), `There is no ${runtime} here.`);
    const cwd = path.join(folder, 'app');
    const code = readFileSync(path.join(cwd, 'out/main.js'), 'utf8').replace('ORIGIN', stub.origin);
    writeFileSync(path.join(cwd, 'main.mjs'), code);
    const args = runtime === 'deno' ? ['run', '--allow-net', '--node-modules-dir=manual', 'main.mjs'] : ['main.mjs'];
    const { stdout } = await run(runtime, args, { cwd });
    expect(stdout.trim()).toBe('prop_1 function NotFoundError');
  });

  it('compiles and runs in a CommonJS program too', async () => {
    const cwd = path.join(folder, 'app');
    const types =
      "import type { Reservation } from '@threshold/client';\nexport type Guest = Reservation['guest_name'];\n";
    const code =
      "import client = require('@threshold/client');\nconsole.log(typeof client.Threshold, typeof client.webhooks.verify);\n";
    writeFileSync(path.join(cwd, 'main.cts'), types + code);
    const compilerOptions = {
      strict: true,
      target: 'ES2022',
      module: 'Node16',
      lib: ['ES2023', 'DOM'],
      types: [],
      outDir: 'out',
    };
    writeFileSync(path.join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.cts'] }));
    const compiler = path.resolve('node_modules/typescript/bin/tsc');
    const ended = await run(process.execPath, [compiler], { cwd }).catch((error: { stdout: string }) => error);
    expect(ended.stdout).toBe('');
    const { stdout } = await run('node', [path.join(cwd, 'out/main.cjs')], { cwd });
    expect(stdout.trim()).toBe('function function');
  });

  it('contains what its README shows', () => {
    const names = readdirSync(path.join(folder, 'app/node_modules/@threshold/client'));
    expect(names.sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
  });
});
