/**
 * Tests the published command line with a real server: its output, its exit codes, and the requests
 * that it forwards to a local receiver.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { webhooks } from '@threshold/client';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findCodeBlocks } from '@/docs/markdown';
import { EVENT_TYPE_NAMES } from '@/events/catalogue';
import { hasNextJsBuild } from '@/testing/server';
import { RESOURCES } from '../../packages/cli/src/resources';
import { NOT_TRIGGERED, TRIGGERS } from '../../packages/cli/src/trigger';
import * as operations from '../../packages/client/src/operations';
import { startInstallation, type TestInstallation } from '../support/installation';
import { runProgram } from '../support/samples';
import { buildApiError, type StubServer, sendJson, startStubServer } from './support';

interface Ended {
  code: number;
  out: string;
  err: string;
}

let folder: string;
let program: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'threshold-cli-'));
  program = join(folder, 'threshold.mjs');
  const { scripts } = JSON.parse(readFileSync('packages/cli/package.json', 'utf8'));
  expect(scripts.build).toContain('--bundle --platform=node --format=esm');
  await build({
    entryPoints: ['packages/cli/src/main.ts'],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: program,
    alias: { '@threshold/client': './packages/client/src/index.ts' },
  });
});
afterAll(() => {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true, force: true });
});

const env = () => ({ PATH: process.env.PATH ?? '', HOME: folder }) as unknown as NodeJS.ProcessEnv;

function threshold(words: string[], stdin = ''): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...words], { env: env() }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
    child.stdin?.end(stdin);
  });
}
const answer = async (...words: string[]) => {
  const { code, out, err } = await threshold([...words, '--json']);
  expect([words.join(' '), code, err]).toEqual([words.join(' '), 0, expect.not.stringContaining('Error')]);
  return JSON.parse(out);
};

/**
 * Starts a command that keeps following a list. `says` waits until the command has printed a text.
 */
function follow(words: string[], more: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...words], { env: { ...env(), ...more } });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  return {
    child,
    async says(what: RegExp): Promise<RegExpExecArray> {
      for (let turn = 0; turn < 400; turn += 1) {
        const found = what.exec(said);
        if (found) return found;
        await sleep(50);
      }
      throw new Error(`It did not say ${what}:\n${said}`);
    },
  };
}

describe('commands that follow a stream, while the server is unavailable', () => {
  let stub: StubServer;
  beforeAll(async () => {
    stub = await startStubServer();
  });
  afterAll(() => stub.close());

  const page = (...data: object[]) => ({ object: 'list', data, has_more: false, url: '/v1/events' });
  const event = (id: string) => ({ id, object: 'event', type: 'property.created', data: { object: { id: 'prop_1' } } });
  const withKey = { THRESHOLD_KEY: `service_test_sk_${'a'.repeat(40)}` };

  it('resume when the server is back, and end when the key is rejected', async () => {
    const away: ((response: ServerResponse) => void)[] = [
      (response) => response.socket?.destroy(),
      (response) => response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    ];
    let listened = 0;
    stub.answer = (response, { path, query }) => {
      if (path === '/hooks') return response.writeHead(204).end();
      if (!query.has('ending_before')) return sendJson(response, 200, page(event('evt_1')));
      const failing = away.shift();
      if (failing) return failing(response);
      if (listened++ > 0) return sendJson(response, 401, buildApiError('authentication_error', 'api_key_revoked'));
      return sendJson(response, 200, page(event('evt_2')));
    };
    const words = ['listen', '--forward-to', `${stub.origin}/hooks`, '--api-root', `${stub.origin}/v1`];
    const listening = follow(words, withKey);
    const ended = once(listening.child, 'close');
    await listening.says(/The server is not available/);
    await listening.says(/The server is back\.\n[^\n]*204 +property\.created +evt_2/);
    await listening.says(/api_key_revoked/);
    expect(await ended).toEqual([1, null]);
  });

  it('end immediately on SIGINT, even during a request', async () => {
    stub.came.length = 0;
    stub.answer = (response, { query }) => {
      if (!query.has('ending_before')) sendJson(response, 200, page(event('evt_1')));
    };
    const tailing = follow(['events', 'tail', '--api-root', `${stub.origin}/v1`], withKey);
    while (!stub.came.at(-1)?.query.has('ending_before')) await sleep(20);
    const ended = once(tailing.child, 'close');
    tailing.child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  });

  it('end with an error if the server was never available', async () => {
    const nowhere = ['--api-root', 'http://127.0.0.1:1/v1'];
    expect(await once(follow(['events', 'tail', ...nowhere], withKey).child, 'close')).toEqual([1, null]);
  });
});

describe('the table of operations', () => {
  it('contains only functions of the client, and every stable one that is useful in a terminal', () => {
    const named = Object.values(RESOURCES).flatMap(({ group, verbs }) =>
      Object.values(verbs).map(({ call }) => `${group}.${call}`),
    );
    const camel = (group: string) =>
      group
        .replace(/_OPERATIONS$/, '')
        .toLowerCase()
        .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const all = Object.entries(operations).flatMap(([group, rows]) =>
      Object.entries(rows).map(([name, row]) => ({ name: `${camel(group)}.${name}`, row })),
    );
    const names = all.map(({ name }) => name);
    expect(named.filter((one) => !names.includes(one))).toEqual([]);
    const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
    const isStable = ({ row }: { row: string }) => {
      const [method = '', path = ''] = row.split(' ');
      return paths[path][method.toLowerCase()]['x-stability'] !== 'beta';
    };
    const remedy = 'Give the operation a verb in packages/cli/src/resources.ts, or add it to this list.';
    const missing = all.filter((one) => !named.includes(one.name) && isStable(one));
    expect(missing.map(({ name }) => name).sort(), remedy).toEqual([
      'packets.replaceDefault',
      'packets.retrieveDefault',
      'packets.updateDefault',
    ]);
  });

  it('lists every event type as either triggerable or not', () => {
    expect([...Object.keys(TRIGGERS), ...Object.keys(NOT_TRIGGERED)].sort()).toEqual([...EVENT_TYPE_NAMES].sort());
  });
});

describe('a login that is approved in the dashboard', () => {
  let stub: StubServer;
  let answers: [number, object][];
  const codes = {
    device_code: 'the-device-code',
    user_code: 'BCDF-GHJK',
    verification_uri: 'https://threshold.example/device',
    verification_uri_complete: 'https://threshold.example/device?code=BCDF-GHJK',
    expires_in: 600,
    interval: 0.05,
  };
  const key = `service_test_sk_${'a'.repeat(40)}`;
  const pending: [number, object] = [400, { error: 'authorization_pending' }];

  beforeAll(async () => {
    stub = await startStubServer();
    stub.answer = (response, { path }) => {
      if (path === '/api/device/code') return sendJson(response, 200, codes);
      if (path === '/api/device/token') return sendJson(response, ...(answers.shift() ?? pending));
      return sendJson(response, 200, { object: 'list', data: [], has_more: false, url: '/v1/properties' });
    };
  });
  afterAll(() => stub.close());
  afterEach(() => rmSync(join(folder, '.config'), { recursive: true, force: true }));

  /** Logs in as a user in a terminal does, without a pipe as standard input. */
  async function login(given: [number, object][], ...words: string[]): Promise<Ended> {
    answers = given;
    stub.came.length = 0;
    const child = spawn(process.execPath, [program, 'login', '--api-root', `${stub.origin}/v1`, ...words], {
      env: env(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk) => (said.out += chunk));
    child.stderr.on('data', (chunk) => (said.err += chunk));
    const [code] = await once(child, 'close');
    return { code, ...said };
  }
  const forms = (path: string) =>
    stub.came.filter((one) => one.path === path).map(({ body }) => Object.fromEntries(new URLSearchParams(body)));

  it('prints the URL and the code to compare, waits, and stores the key without printing it', async () => {
    const ended = await login([pending, [503, {}], pending, [200, { access_token: key, token_type: 'Bearer' }]]);
    expect([ended.code, ended.out]).toEqual([0, '']);
    expect(ended.err).toContain(codes.verification_uri_complete);
    expect(ended.err).toContain('the code  BCDF-GHJK\n');
    expect(ended.err).not.toContain(key);
    expect(forms('/api/device/code')).toEqual([
      { client_id: 'threshold-cli', mode: 'test', scope: '', device_name: hostname() },
    ]);
    const asked = { client_id: 'threshold-cli', device_code: 'the-device-code' };
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    expect(forms('/api/device/token')).toEqual(Array(4).fill({ ...asked, grant_type }));
    const kept = JSON.parse(readFileSync(join(folder, '.config/threshold/settings.json'), 'utf8'));
    expect(kept).toEqual({ api_root: `${stub.origin}/v1`, test_key: key });
  });

  it('requests a live key and scopes with --live and --scopes', async () => {
    const live = key.replace('test', 'live');
    const words = ['--live', '--scopes', 'reservations:read, events:read'];
    expect((await login([[200, { access_token: live }]], ...words)).code).toBe(0);
    expect(forms('/api/device/code')).toMatchObject([{ mode: 'live', scope: 'reservations:read events:read' }]);
  });

  it('ends with the reason when access is denied', async () => {
    const because = 'Each mode allows at most 3 keys.';
    expect(await login([[400, { error: 'access_denied', error_description: because }]])).toMatchObject({
      code: 1,
      err: expect.stringContaining(`Access was refused: ${because}`),
    });
  });

  it.each([
    ['expired_token', 'Run threshold login again'],
    ['invalid_grant', 'The login failed: invalid_grant'],
  ])('ends on the error %s', async (error, said) => {
    expect(await login([[400, { error }]])).toMatchObject({ code: 1, err: expect.stringContaining(said) });
    expect(forms('/v1/properties')).toEqual([]);
  });

  it('waits five seconds longer after slow_down', async () => {
    expect(
      (
        await login([
          [400, { error: 'slow_down' }],
          [200, { access_token: key }],
        ])
      ).code,
    ).toBe(0);
    const [first, second] = stub.came.filter(({ path }) => path === '/api/device/token');
    expect((second?.at_ms ?? 0) - (first?.at_ms ?? 0)).toBeGreaterThan(5_000);
  });
});

describe('usage errors', () => {
  it.each([
    [[], 'Usage: threshold'],
    [['fly'], 'There is no command fly'],
    [['constructor'], 'There is no command constructor'],
    [['reservations', 'constructor'], 'sign-as-guest'],
    [['reservations'], 'sign-as-guest'],
    [['reservations', 'fly'], 'sign-as-guest'],
    [['reservations', 'get'], 'Usage: threshold reservations get <id>'],
    [['reservations', 'get', 'a', 'b'], 'Usage'],
    [['reservations', 'get', 'res_1', 'name=x'], 'takes no fields'],
    [['--fly'], 'There is no option --fly'],
    [['properties', 'create', 'auto_send_packet:=yes'], 'needs JSON'],
    [['listen'], '--forward-to'],
    [['trigger'], 'Name an event'],
    [['completions', 'tcsh'], 'Name a shell'],
    [['properties', 'list'], 'Run: threshold login'],
    [['login'], 'The URL of the API is missing'],
  ])('%j ends with 2 and names the problem', async (words, said) => {
    const { code, out, err } = await threshold(words);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(said);
  });

  it('help, completions and version end with 0', async () => {
    expect((await threshold(['help', 'constructor'])).code).toBe(0);
    for (const words of [
      ['help'],
      ['--help'],
      ['help', 'reservations'],
      ['help', 'listen'],
      ['version'],
      ['--version'],
      ['completions', 'fish'],
    ]) {
      expect(await threshold(words)).toMatchObject({ code: 0, err: '' });
    }
    const script = (await threshold(['completions', 'bash'])).out;
    const shell = spawn('bash', [
      '-c',
      `${script}\nCOMP_WORDS=(threshold reservations si) COMP_CWORD=2; _threshold; echo "\${COMPREPLY[@]}"`,
    ]);
    let said = '';
    shell.stdout.on('data', (chunk) => (said += chunk));
    await once(shell, 'close');
    expect(said.trim()).toBe('sign-as-guest');
  });
});

describe.skipIf(!hasNextJsBuild())('against a server (skipped without a build)', () => {
  let installation: TestInstallation;

  beforeAll(async () => {
    installation = await startInstallation();
  });
  afterAll(() => installation?.server.stop());

  it('logs in with a pasted key, and stores it readable only by its owner', async () => {
    const root = `${installation.origin}/v1`;
    const wrong = await threshold(['login', '--api-root', root], `service_test_sk_${'x'.repeat(40)}\n`);
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('api_key_invalid')]);
    expect((await threshold(['login', '--api-root', root], 'hunter2\n')).code).toBe(2);
    const right = await threshold(['login', '--api-root', root], `${installation.test_key}\n`);
    expect([right.code, right.out]).toEqual([0, '']);
    expect(right.err).not.toContain(installation.test_key);
    const file = join(folder, '.config/threshold/settings.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ api_root: root, test_key: installation.test_key });
    expect((await threshold(['properties', 'list', '--live'])).code).toBe(2);
  });

  it('creates, sends and signs a reservation, and saves its certificate', async () => {
    const property = await answer('properties', 'create', 'name=Harbour Loft', 'auto_send_offset_hours:=48');
    expect(property).toMatchObject({ object: 'property', name: 'Harbour Loft', auto_send_offset_hours: 48 });
    const guest = ['guest_name=Ada Lovelace', 'guest_email=ada@example.com'];
    const dates = ['checkin_date=2030-05-01', 'checkout_date=2030-05-05'];
    const { id } = await answer('reservations', 'create', `property_id=${property.id}`, ...guest, ...dates);
    const unsent = await threshold(['reservations', 'sign-as-guest', id]);
    expect([unsent.code, unsent.err]).toEqual([1, expect.stringContaining('Send the reservation first')]);
    expect(await answer('reservations', 'send', id)).toMatchObject({ status: 'sent' });
    const signed = await answer('reservations', 'sign-as-guest', id);
    expect(signed).toMatchObject({ status: 'signed' });
    const shown = await threshold(['reservations', 'list', 'status=signed', 'limit=10']);
    expect(shown.out).toMatch(/^ID +STATUS +GUEST_NAME/);
    expect(shown.out).toContain('Ada Lovelace');
    const timeline = await threshold(['reservations', 'events', id]);
    expect(timeline.out).toContain('reservation.signed');
    for (let turn = 0; turn < 300; turn += 1) {
      if ((await answer('certificates', 'get', signed.signature_id)).pdf_available) break;
      await sleep(100);
    }
    const pdf = join(folder, 'certificate.pdf');
    expect(await threshold(['certificates', 'download', signed.signature_id, '--out', pdf])).toMatchObject({ code: 0 });
    expect(readFileSync(pdf).subarray(0, 5).toString()).toBe('%PDF-');
  });

  describe('its page in the documentation', () => {
    const blocks = findCodeBlocks(readFileSync('docs/guide/command-line.md', 'utf8')).map(({ code }) => code);
    const block = (holds: string) => {
      const found = blocks.find((code) => code.includes(holds));
      if (!found) throw new Error(`The page has no block with ${holds}`);
      return found;
    };
    const shell = (code: string, cwd = folder) =>
      runProgram('bash', ['-c', code.replaceAll('{{api_root}}', `${installation.origin}/v1`)], cwd, {
        HOME: folder,
        PATH: `${folder}/bin:${process.env.PATH}`,
        npm_config_prefix: folder,
        npm_config_pack_destination: folder,
      });

    it('states how to install it', async () => {
      const [pack = '', install = ''] = block('npm pack').split('\n');
      expect(await shell(pack, process.cwd())).toMatchObject({ code: 0 });
      expect(await shell(install)).toMatchObject({ code: 0 });
      expect(await shell('threshold --version')).toMatchObject({ code: 0, stdout: '0.1.0\n', stderr: '' });
    }, 120_000);

    it('contains only commands that do what the page states', async () => {
      writeFileSync(join(folder, 'key.txt'), `${installation.test_key}\n`);
      expect(await shell(block('< key.txt'))).toMatchObject({ code: 0, stdout: '' });
      expect(await shell(block('threshold trigger'))).toMatchObject({ code: 0, stderr: '' });
      // The previous command's ids, which replace placeholders such as `res_…`.
      const ids: Record<string, string> = {
        clock: (await answer('clocks', 'create', 'frozen_time=2030-04-30T15:00:00Z')).id,
      };
      for (const line of block('sign-as-guest').replaceAll('\\\n', '').split('\n')) {
        if (line.includes('certificates download'))
          await expect
            .poll(async () => (await answer('certificates', 'get', ids.sig ?? '')).pdf_available, { timeout: 30_000 })
            .toBe(true);
        const ended = await shell(line.replace(/([a-z]+)_…/g, (_, kind) => ids[kind] ?? ''));
        expect(ended, line).toMatchObject({ code: 0 });
        for (const [id, kind = ''] of ended.stdout.matchAll(/\b(prop|res|sig)_\w+/g)) ids[kind] = id;
      }
      expect(readFileSync(join(folder, 'certificate.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
      // These commands run until `timeout` stops them, which results in exit code 124.
      for (const line of [block('listen'), ...block('events tail').split('\n')])
        expect(await shell(`timeout 2 ${line}`), line).toMatchObject({ code: 124 });
      expect(await shell(`${block('completions').replace('>>', '>')} && bash -n ~/.bashrc`)).toMatchObject({
        code: 0,
        stderr: '',
      });
    }, 120_000);
  });

  it('ends with 1 and prints error code and request id when the API returns an error', async () => {
    const { code, out, err } = await threshold(['reservations', 'get', 'res_nobodyhasit']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^resource_missing: .*\nRequest req_\w+\n$/);
  });

  it('iterates over every page of a list', async () => {
    for (let made = 0; made < 3; made += 1) await answer('properties', 'create', `name=Page ${made}`);
    const some = await threshold(['properties', 'list', 'limit=2', '--json']);
    expect(JSON.parse(some.out)).toMatchObject({ has_more: true });
    const all = await answer('properties', 'list', 'limit=2', '--all');
    expect(all.length).toBeGreaterThanOrEqual(4);
  });

  describe('listen and tail', () => {
    let receiver: Server;
    const came: { headers: IncomingHttpHeaders; body: string }[] = [];

    beforeAll(async () => {
      receiver = createServer(async (request, response) => {
        let body = '';
        for await (const chunk of request) body += chunk;
        came.push({ headers: request.headers, body });
        response.writeHead(body.includes('property.updated') ? 500 : 204).end();
      });
      receiver.listen(0, '127.0.0.1');
      await once(receiver, 'listening');
    });
    afterAll(async () => {
      receiver.closeAllConnections();
      await new Promise((closed) => receiver.close(closed));
    });

    it('forwards events to a local address, signed with the session’s secret, until it is stopped', async () => {
      const { port } = receiver.address() as AddressInfo;
      const listening = follow(['listen', '--forward-to', `http://127.0.0.1:${port}/hooks`]);
      const [, secret = ''] = await listening.says(/secret of this session is (whsec_\S+)/);
      const { object_id } = await answer('trigger', 'property.updated');
      await listening.says(/500 +property\.updated/);
      await listening.says(/204 +property\.created/);
      const [first] = came;
      expect(JSON.parse(first?.body ?? '')).toMatchObject({
        type: 'property.created',
        data: { object: { id: object_id } },
      });
      const headers = new Headers(first?.headers as Record<string, string>);
      expect(await webhooks.verify(first?.body ?? '', headers, secret)).toMatchObject({ type: 'property.created' });
      await expect(webhooks.verify(`${first?.body} `, headers, secret)).rejects.toThrow();
      listening.child.kill('SIGINT');
      expect(await once(listening.child, 'close')).toEqual([0, null]);
    });

    it('prints events and requests as they arrive', async () => {
      const events = follow(['events', 'tail', '--events', 'reservation.signed']);
      const logs = follow(['logs', 'tail', '--json']);
      await sleep(2_000);
      const { object_id } = await answer('trigger', 'reservation.arrival_details_released');
      await events.says(new RegExp(`reservation\\.signed {2}evt_\\w+ {2}${object_id}`));
      await logs.says(new RegExp(`"path":"/v1/reservations/${object_id}/send","status":200`));
    });

    // The test that forwards events triggers property.updated.
    it.each(Object.keys(TRIGGERS).filter((type) => type !== 'property.updated'))(
      'trigger %s emits the event',
      async (type) => {
        const { object_id } = await answer('trigger', type);
        for (let turn = 0; ; turn += 1) {
          const { data } = await answer('events', 'list', `type=${type}`, 'limit=5');
          const ids = data.map(
            (event: { data: { object: { id: string; reservation_id?: string; property_id?: string } } }) => [
              event.data.object.id,
              event.data.object.reservation_id,
              event.data.object.property_id,
            ],
          );
          if (ids.flat().includes(object_id)) break;
          if (turn > 100) throw new Error(`No ${type} of ${object_id}: ${JSON.stringify(ids)}`);
          await sleep(100);
        }
      },
    );
  });
});
