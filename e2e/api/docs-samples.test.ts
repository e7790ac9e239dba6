/**
 * Runs the documentation's samples as a new user would. Reads each sample from a page's Markdown
 * and runs it against the API, in every language whose runtime is installed on this machine.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCodeBlocks } from '@/docs/markdown';
import { buildReferencePages } from '@/docs/reference';
import { buildDocsSite, type DocsSite } from '@/docs/site';
import { isProgramInstalled } from '@/modules/certificates/testing/tools';
import { buildServiceSignatureHeaderValue } from '@/modules/webhooks/delivery/signature.rules';
import {
  CODE_SAMPLE_FILE_EXTENSIONS,
  CODE_SAMPLE_LANGUAGE_RUNTIMES,
  createTemporaryFolder,
  getCodeSampleFileName,
  listCodeSampleCases,
  type ProgramResult,
  runProgram,
  writeCodeSampleFiles,
} from '../support/samples';
import {
  type ApiTestContext,
  createApiCaller,
  createScopeForTestTeam,
  insertTestDeliveryAttempt,
  makeProperty,
  makeReservation,
  makeSyncSource,
  makeWebhookEndpoint,
  openApiTestContext,
  signAsGuest,
} from './test-context';

let world: ApiTestContext;
let site: DocsSite;
/** The environment variables that the samples expect. */
const environment: Record<string, string> = {};

beforeAll(async () => {
  world = await openApiTestContext();
  site = buildDocsSite();
  const caller = createApiCaller(world.api, world.team.test);
  const scope = createScopeForTestTeam(world.team, 'test');
  const property = await makeProperty(caller);
  const reservation = await makeReservation(caller, world.clock, property.id);
  await caller.post(`/reservations/${reservation.id}/send`);
  const endpoint = await makeWebhookEndpoint(caller);
  Object.assign(environment, {
    THRESHOLD_KEY: world.team.test,
    WEBHOOK_URL: 'https://example.com/webhooks/threshold',
    PROPERTY: property.id,
    RESERVATION: reservation.id,
    SIGNATURE: await signAsGuest(scope, reservation.id),
    SOURCE: await makeSyncSource(scope, property.id),
    ENDPOINT: endpoint.id,
    EVENT: await insertTestDeliveryAttempt(scope, endpoint.id),
  });
});
afterAll(() => world.close());

const run = (command: string, args: string[], cwd: string, more: Record<string, string> = {}) =>
  runProgram(command, args, cwd, { ...environment, ...more });

const blocksOf = (page: string) => findCodeBlocks(site.byPath.get(page)?.markdown ?? '');

function blockOf(page: string, language: string, file?: string): string {
  const found = blocksOf(page).find((block) => block.language === language && (!file || block.file === file));
  if (!found) throw new Error(`${page} has no block ${language} ${file ?? ''}`);
  return found.code;
}

async function runSample(language: string, code: string): Promise<ProgramResult> {
  const file = getCodeSampleFileName(language);
  const runtime = CODE_SAMPLE_LANGUAGE_RUNTIMES[language]!;
  return run(runtime.tool, runtime.args(file), await writeCodeSampleFiles({ [file]: code }));
}

describe('the quick start', () => {
  // newcomer.test.ts runs the samples in the other languages.
  it.for(listCodeSampleCases(['php', 'ruby', 'go']))(
    'the sample in %s sends a reservation%s',
    async ([language, missing], { skip }) => {
      skip(missing !== '', missing);
      const ended = await runSample(
        language,
        blockOf('/docs/quick-start', language, language === 'sh' ? 'quick-start.sh' : undefined),
      );
      expect(ended.stderr).toBe('');
      expect(ended.code).toBe(0);
      const [id = '', link = ''] = ended.stdout.trim().split('\n');
      expect(link).toMatch(/^http.*\/sign\/[\w-]+$/);
      const caller = createApiCaller(world.api, world.team.test);
      expect((await caller.get(`/reservations/${id}`)).body).toMatchObject({
        status: 'sent',
        arrival_release_state: 'ready_to_hold',
      });
      await signAsGuest(createScopeForTestTeam(world.team, 'test'), id);
      const signed = await run(
        'bash',
        ['-c', blockOf('/docs/quick-start', 'sh', 'signed.sh')],
        createTemporaryFolder(),
        {
          RESERVATION: id,
        },
      );
      expect(JSON.parse(signed.stdout)).toMatchObject({ status: 'signed', arrival_release_state: 'released' });
      const certificate = await run(
        'bash',
        ['-c', blockOf('/docs/quick-start', 'sh', 'certificate.sh')],
        createTemporaryFolder(),
        {
          SIGNATURE: JSON.parse(signed.stdout).signature_id,
        },
      );
      expect(JSON.parse(certificate.stdout)).toMatchObject({ object: 'certificate', reservation_id: id });
    },
  );
});

describe('the TypeScript client', () => {
  const sample = (file: string) => runSample('ts', blockOf('/docs/client', 'ts', file));

  it('sends a reservation', async () => {
    const ended = await sample('client.ts');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const [id = '', link = ''] = ended.stdout.trim().split('\n');
    expect(link).toMatch(/^http.*\/sign\/[\w-]+$/);
    const caller = createApiCaller(world.api, world.team.test);
    expect((await caller.get(`/reservations/${id}`)).body).toMatchObject({ status: 'sent' });
  });

  it('iterates over a list and distinguishes errors', async () => {
    const listed = await sample('list.ts');
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toMatch(/^(res_\w+ Ada Lovelace\n)+$/);
    expect(await sample('errors.ts')).toEqual({ code: 0, stderr: '', stdout: 'resource_missing\n' });
  });
});

/**
 * Commands that check a language's programs without running them. They print nothing when there are
 * no errors.
 */
const READ: Record<string, [string, ...string[]]> = {
  sh: ['bash', '-c', 'for file; do bash -n "$file" || exit 1; done', 'read'],
  python: ['python3', '-m', 'py_compile'],
  php: [
    'php',
    '-r',
    'foreach (array_slice($argv, 1) as $file) token_get_all(file_get_contents($file), TOKEN_PARSE);',
    '--',
  ],
  ruby: ['ruby', '-we', 'ARGV.each { |file| RubyVM::InstructionSequence.compile_file(file) }'],
  go: ['go', 'vet', './...'],
  'go, as it is formatted': ['gofmt', '-l', '.'],
};

describe('single requests', () => {
  it('in the written pages return what they request', async () => {
    const requests = site.pages
      .filter(({ source }) => source)
      .flatMap(({ path: page }) =>
        blocksOf(page)
          .filter(
            ({ language, code }) => language === 'sh' && code.startsWith('curl ') && !code.includes('.well-known'),
          )
          // Downloads are omitted, because this test's listener does not serve files.
          .filter(({ code }) => !/\/(download|dispute_pack)"/.test(code))
          .map(({ code }) => ({ page, code })),
      );
    expect(requests.length).toBeGreaterThan(10);
    for (const { page, code } of requests) {
      const ended = await run('bash', ['-c', code], createTemporaryFolder());
      expect({ page, sample: code, exit: ended.code, stderr: ended.stderr }).toMatchObject({ exit: 0, stderr: '' });
      const answer = JSON.parse(ended.stdout);
      expect({ page, code, error: answer.error }).toEqual({ page, code, error: undefined });
      expect(Object.keys(answer).length, code).toBeGreaterThan(1);
    }
  });

  it('in the reference are valid programs in every language, and the first GET of each page succeeds', async ({
    skip,
  }) => {
    const cwd = createTemporaryFolder();
    const none = () =>
      Object.fromEntries(
        Object.keys(CODE_SAMPLE_LANGUAGE_RUNTIMES).map((language): [string, string[]] => [language, []]),
      );
    const [files, firsts] = [none(), none()];
    for (const { slug, text } of buildReferencePages().filter((page) => page.slug.includes('/'))) {
      const real = text.replace(/prop_01jd[0-9a-z]+/g, environment.PROPERTY ?? '');
      const blocks = findCodeBlocks(real).filter(({ language }) => language !== 'json');
      const operations = text.match(/^## .*\{#(?!schema-)/gm)?.length;
      const first = blocks.filter(({ language }) => language === 'ts').findIndex(({ code }) => code.includes("'GET'"));
      for (const language of Object.keys(CODE_SAMPLE_LANGUAGE_RUNTIMES)) {
        const codes = blocks.filter((block) => block.language === language).map(({ code }) => code);
        expect(codes, `${slug} ${language}`).toHaveLength(operations ?? 0);
        // Each program has its own folder, because Go treats a folder as one program.
        for (const [index, code] of codes.entries()) {
          const file = path.join(language, slug.replace('/', '-'), String(index), getCodeSampleFileName(language));
          mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true });
          writeFileSync(path.join(cwd, file), `${code}\n`);
          files[language]?.push(file);
          if (index === first) firsts[language]?.push(file);
        }
      }
    }
    writeFileSync(path.join(cwd, 'go.mod'), 'module samples\n\ngo 1.19\n');
    await build({
      absWorkingDir: cwd,
      entryPoints: files.ts ?? [],
      format: 'esm',
      target: 'node20',
      outdir: path.join(cwd, 'ts'),
      outExtension: { '.js': '.mjs' },
      logLevel: 'error',
    });
    const missing: string[] = [];
    for (const [language, [tool, ...args]] of Object.entries(READ)) {
      if (!isProgramInstalled(tool)) {
        missing.push(tool);
        continue;
      }
      const given = args.includes('./...') || args.includes('.') ? [] : (files[language] ?? []);
      expect(await run(tool, [...args, ...given], cwd), language).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    for (const language of ['ts', 'python', 'php', 'ruby']) {
      if (!isProgramInstalled(CODE_SAMPLE_LANGUAGE_RUNTIMES[language]!.tool)) continue;
      for (const file of firsts[language] ?? []) {
        const ended = await run(
          CODE_SAMPLE_LANGUAGE_RUNTIMES[language]!.tool,
          CODE_SAMPLE_LANGUAGE_RUNTIMES[language]!.args(file),
          cwd,
        );
        expect(ended, file).toMatchObject({ code: 0, stderr: '' });
        expect(ended.stdout, file).toMatch(/"object":"/);
      }
    }
    skip(missing.length > 0, `read without ${missing.join(', ')}`);
  });

  it.for(listCodeSampleCases(['ts', 'python', 'php', 'ruby', 'go']))(
    'in the reference create what they show, in %s%s',
    async ([language, missing], { skip }) => {
      skip(missing !== '', missing);
      const text = buildReferencePages().find(({ slug }) => slug === 'reference/properties')?.text ?? '';
      const code = findCodeBlocks(text).filter((block) => block.language === language)[1]?.code ?? '';
      // A subdomain can be claimed only once, so each sample gets a different one.
      const ended = await runSample(
        language,
        code.replace(/harbour-loft/g, `loft-${language}`).replace('rules.example.com', `${language}.example.com`),
      );
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(ended.stdout).toContain('"object":"property"');
    },
  );
});

describe('iterating over a list', () => {
  it.for(listCodeSampleCases(['ts', 'python']))(
    'returns every reservation once in %s%s',
    async ([language, missing], { skip }) => {
      skip(missing !== '', missing);
      const ended = await runSample(language, blockOf('/docs/pagination', language));
      expect(ended.stderr).toBe('');
      const ids = ended.stdout
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[0]);
      expect(ids).toContain(environment.RESERVATION);
      expect(new Set(ids).size).toBe(ids.length);
    },
  );
});

describe('waiting for the rate limit', () => {
  const CALLS: Record<string, (url: string) => string> = {
    ts: (url) => `console.log((await patiently('${url}', {})).status);`,
    python: (url) => `print(patiently(urllib.request.Request("${url}")).status)`,
  };

  it.for(listCodeSampleCases(['ts', 'python']))(
    'retries after Retry-After in %s%s',
    async ([language, missing], { skip }) => {
      skip(missing !== '', missing);
      let calls = 0;
      const server = createServer((_request, response) => {
        calls += 1;
        response.writeHead(calls < 3 ? 429 : 200, { 'Retry-After': '0' }).end('{}');
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const ended = await runSample(language, `${blockOf('/docs/rate-limits', language)}\n${CALLS[language]?.(url)}\n`);
      server.close();
      expect([ended.stdout.trim(), ended.stderr, calls]).toEqual(['200', '', 3]);
    },
  );
});

describe('verifying a webhook', () => {
  const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
  const BODY = '{"id":"evt_1","name":"Zoë — Łódź","data":{}}';
  const now = () => Math.floor(Date.now() / 1000);
  const MUST: [string, () => string, string, boolean][] = [
    ['the signature', () => buildServiceSignatureHeaderValue([SECRET], now(), BODY), BODY, true],
    [
      'one of two during a rotation',
      () => buildServiceSignatureHeaderValue(['whsec_other', SECRET], now(), BODY),
      BODY,
      true,
    ],
    ['four minutes ago', () => buildServiceSignatureHeaderValue([SECRET], now() - 240, BODY), BODY, true],
    ['another secret’s', () => buildServiceSignatureHeaderValue(['whsec_other'], now(), BODY), BODY, false],
    ['another body', () => buildServiceSignatureHeaderValue([SECRET], now(), BODY), `${BODY} `, false],
    ['too old', () => buildServiceSignatureHeaderValue([SECRET], now() - 400, BODY), BODY, false],
    ['from the future', () => buildServiceSignatureHeaderValue([SECRET], now() + 400, BODY), BODY, false],
    ['no header', () => '', BODY, false],
    ['no time', () => buildServiceSignatureHeaderValue([SECRET], now(), BODY).replace(/^t=\d+,/, ''), BODY, false],
    ['nonsense', () => 't=x,v1=é', BODY, false],
  ];
  /**
   * Programs that read a header and a body from the environment, and print whether the header is a
   * valid signature of the body.
   */
  const MAIN: Record<string, string> = {
    ts: `console.log(verify(Buffer.from(process.env.TEXT ?? ''), process.env.HEADER ?? '', process.env.SECRET ?? '') ? 'verified' : 'refused');`,
    python: `import os\nprint("verified" if verify(os.environb[b"TEXT"], os.environ["HEADER"], os.environ["SECRET"]) else "refused")`,
    php: `echo verify(getenv('TEXT'), getenv('HEADER'), getenv('SECRET')) ? 'verified' : 'refused';`,
    ruby: `puts verify(ENV['TEXT'], ENV['HEADER'], ENV['SECRET']) ? 'verified' : 'refused'`,
    go: `func main() {\n\tif Verify([]byte(os.Getenv("TEXT")), os.Getenv("HEADER"), os.Getenv("SECRET")) {\n\t\tprintln("verified")\n\t}\n}`,
    sh: '',
  };

  it.for(listCodeSampleCases(['sh', 'ts', 'python', 'php', 'ruby', 'go']))(
    'accepts our signatures and nothing else in %s%s',
    async ([language, missing], { skip }) => {
      skip(missing !== '' || (language === 'sh' && !isProgramInstalled('openssl')), missing);
      let code = `${blockOf('/docs/webhooks', language, language === 'sh' ? 'verify.sh' : undefined)}\n${MAIN[language]}\n`;
      if (language === 'go')
        code = code.replace('package webhooks', 'package main').replace('import (', 'import (\n\t"os"');
      const file = getCodeSampleFileName(language);
      const cwd = await writeCodeSampleFiles({ [file]: code });
      const runtime = CODE_SAMPLE_LANGUAGE_RUNTIMES[language]!;
      for (const [name, header, body, accepted] of MUST) {
        writeFileSync(path.join(cwd, 'body'), body);
        const more = { HEADER: header(), TEXT: body, SECRET, BODY: 'body', LC_ALL: 'C.UTF-8' };
        const ended = await run(runtime.tool, runtime.args(file), cwd, more);
        const verdict = /verified/.test(ended.stdout + ended.stderr);
        expect({ name, verdict, stderr: language === 'go' ? '' : ended.stderr }).toEqual({
          name,
          verdict: accepted,
          stderr: '',
        });
      }
    },
  );

  it.for([
    ...listCodeSampleCases(['ts', 'python']).map((one) => [...one, '/docs/webhooks'] as const),
    ['ts', '', '/docs/client'] as const,
  ])('the complete receiver in %s processes an event once%s (%s)', async ([language, missing, page], { skip }) => {
    skip(missing !== '', missing);
    const extension = CODE_SAMPLE_FILE_EXTENSIONS[language] ?? language;
    const receiver = `receiver.${extension}`;
    const verifier = { [`verify.${extension}`]: blockOf('/docs/webhooks', language, `verify.${extension}`) };
    const cwd = await writeCodeSampleFiles({ ...verifier, [receiver]: blockOf(page, language, receiver) });
    const free = createServer().listen(0);
    const port = (free.address() as AddressInfo).port;
    await new Promise((resolve) => free.close(resolve));
    const runtime = CODE_SAMPLE_LANGUAGE_RUNTIMES[language]!;
    const child = spawn(runtime.tool, runtime.args(`receiver.${extension}`), {
      cwd,
      env: { ...process.env, SECRET, PORT: String(port) },
    });
    let printed = '';
    child.stdout.on('data', (data) => {
      printed += data;
    });
    try {
      const body = JSON.stringify({
        id: 'evt_1',
        type: 'reservation.signed',
        sequence: 7,
        data: { object: { id: 'res_1' } },
      });
      const post = (signature: string): Promise<number> =>
        fetch(`http://127.0.0.1:${port}/`, {
          method: 'POST',
          body,
          headers: { 'Service-Signature': signature },
        }).then(({ status }) => status);
      const deadline = Date.now() + 20_000;
      let first = 0;
      while (first === 0 && Date.now() < deadline)
        first = await post('t=1,v1=00').catch(() => new Promise<number>((resolve) => setTimeout(resolve, 50, 0)));
      expect(first).toBe(400);
      const good = buildServiceSignatureHeaderValue([SECRET], now(), body);
      expect([await post(good), await post(good)]).toEqual([204, 204]);
      expect(printed.trim()).toBe('7 reservation.signed res_1');
    } finally {
      child.kill();
    }
  });
});
