/**
 * Acts as a new user with a key and a terminal who reads only `/docs` and runs its samples, page by
 * page, up to a verified webhook and a checked certificate. Runs in three languages. Apart from the
 * samples, the test does only what a person would do by hand: open the link, sign, and store a
 * secret.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCodeBlocks } from '@/docs/markdown';
import { isProgramInstalled } from '@/modules/certificates/testing/tools';
import { MATRIX_TEST_OPTIONS, selectSampledCases } from '@/testing/sample';
import { findFreePort, hasNextJsBuild } from '@/testing/server';
import { signHouseRulesOnPage, startInstallation, type TestInstallation } from '../support/installation';
import {
  CODE_SAMPLE_FILE_EXTENSIONS,
  CODE_SAMPLE_LANGUAGE_RUNTIMES,
  createTemporaryFolder,
  getCodeSampleFileName,
  listCodeSampleCases,
  runProgram,
  writeCodeSampleFiles,
} from '../support/samples';

describe.skipIf(!hasNextJsBuild())('a newcomer', () => {
  let installation: TestInstallation;
  beforeAll(async () => {
    installation = await startInstallation();
  });
  afterAll(() => installation?.server.stop());

  /** Returns the code blocks of a page. Finds the page through `/llms.txt`. */
  async function blocksOf(slug: string) {
    const list = await (await fetch(`${installation.origin}/llms.txt`)).text();
    const address = list.match(/http[^)\s]*\.md/g)?.find((url) => url.endsWith(`/docs/${slug}.md`)) ?? '';
    return findCodeBlocks(await (await fetch(address)).text());
  }

  it.for(selectSampledCases(listCodeSampleCases(['sh', 'ts', 'python'])))(
    'follows the docs from a key to a verified webhook and a checked certificate, in %s%s',
    { ...MATRIX_TEST_OPTIONS, timeout: 120_000 },
    async ([language, missing], { skip }) => {
      skip(missing !== '', missing);
      const cwd = createTemporaryFolder();
      const environment: Record<string, string> = { LC_ALL: 'C.UTF-8' };
      const [start, hooks, proof, checks] = await Promise.all(
        ['quick-start', 'webhooks', 'certificates', 'verify-content-hash'].map(blocksOf),
      );
      type Blocks = typeof start;
      const block = (blocks: Blocks, fits: (code: string, file: string | null) => boolean, of = 'sh') => {
        const found = blocks?.find((one) => one.language === of && fits(one.code, one.file));
        if (!found) throw new Error(`There is no such block in ${of}.`);
        return found.code;
      };
      const named = (blocks: Blocks, file: string) => block(blocks, (_code, name) => name === file);
      const shell = async (code: string, more: Record<string, string> = {}) => {
        const ended = await runProgram('bash', ['-c', code], cwd, { ...environment, ...more });
        expect(ended, code).toMatchObject({ code: 0, stderr: '' });
        return ended.stdout;
      };

      // Step 1 of the quick start: a key.
      const [, variable = ''] =
        /^export (\w+)=service_test_sk_…$/.exec(block(start, (code) => code.startsWith('export'))) ?? [];
      environment[variable] = installation.test_key;

      // Steps 2 and 3: send a reservation to a guest, and sign it as that guest.
      const program = block(start, (_code, file) => language !== 'sh' || file === 'quick-start.sh', language);
      const sample = await writeCodeSampleFiles({ [getCodeSampleFileName(language)]: program });
      const signOne = async () => {
        const runtime = CODE_SAMPLE_LANGUAGE_RUNTIMES[language]!;
        const ended = await runProgram(
          runtime.tool,
          runtime.args(getCodeSampleFileName(language)),
          sample,
          environment,
        );
        expect(ended).toMatchObject({ code: 0, stderr: '' });
        const [id = '', link = ''] = ended.stdout.trim().split('\n');
        await signHouseRulesOnPage(installation.origin, link);
        return id;
      };
      const first = await signOne();

      // Step 4: check that the reservation was signed.
      const signed = JSON.parse(await shell(named(start, 'signed.sh'), { RESERVATION: first }));
      expect(signed).toMatchObject({ status: 'signed', arrival_release_state: 'released' });
      const shown = await shell(named(start, 'certificate.sh'), { SIGNATURE: signed.signature_id });
      expect(JSON.parse(shown)).toMatchObject({ object: 'certificate', reservation_id: first });

      // Step 5 and the page on webhooks: create an endpoint, run a receiver that verifies
      // signatures, and redeliver the same event.
      const port = await findFreePort();
      const endpoint = JSON.parse(
        await shell(named(start, 'endpoint.sh'), { WEBHOOK_URL: `http://127.0.0.1:${port}/webhooks/threshold` }),
      );
      const receive = language === 'sh' ? receiveByHand : receiveByProgram;
      const receiver = await receive({
        language,
        port,
        secret: endpoint.signing_secret,
        blocks: hooks ?? [],
        shell,
        cwd,
      });
      let signature_id: string;
      try {
        const second = await signOne();
        await receiver.told(`reservation.signed ${second}`);
        const read = JSON.parse(await shell(named(start, 'signed.sh'), { RESERVATION: second }));
        signature_id = read.signature_id;
        await receiver.told(`certificate.created ${signature_id}`);
      } finally {
        await receiver.close();
      }

      // The page on certificates: retrieve the certificate and download its file.
      const json = await shell(
        block(proof, (code) => /certificates\/\$SIGNATURE"/.test(code)),
        { SIGNATURE: signature_id },
      );
      writeFileSync(path.join(cwd, 'certificate.json'), json);
      await shell(
        block(proof, (code) => code.includes('/download"')),
        { SIGNATURE: signature_id },
      );
      expect(readFileSync(path.join(cwd, 'certificate.pdf')).subarray(0, 5).toString()).toBe('%PDF-');

      // The page on verifying a certificate without Threshold's software.
      if (!isProgramInstalled('pdfdetach') || !isProgramInstalled('pdfsig')) return;
      const { content_hash } = JSON.parse(json);
      const verdict = await shell(block(checks, (code) => code.includes('sha256sum snapshot.json')));
      expect(verdict).toContain(content_hash);
      expect(verdict).toContain('Signature is Valid.');
      expect(verdict).toContain('Total document signed');
      if (language === 'sh') return;
      const [of, command] = language === 'ts' ? ['js', process.execPath] : ['python', 'python3'];
      const file = path.join(cwd, of === 'js' ? 'verify.mjs' : 'verify.py');
      writeFileSync(
        file,
        block(checks, () => true, of),
      );
      expect((await runProgram(command, [file], cwd, environment)).stdout.trim()).toBe(`ok ${content_hash}`);
    },
  );
});

interface Receiving {
  language: string;
  port: number;
  secret: string;
  blocks: ReturnType<typeof findCodeBlocks>;
  shell(code: string, more: Record<string, string>): Promise<string>;
  cwd: string;
}

interface Receiver {
  /**
   * Resolves once an event that matches `words` has been verified. `words` are an event type and an
   * object's id: `reservation.signed res_…`.
   */
  told(words: string): Promise<void>;
  close(): Promise<void>;
}

async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let turn = 0; turn < 300; turn++) {
    if (await holds()) return;
    await sleep(100);
  }
  throw new Error(`It did not happen: ${what}`);
}

/** Runs the page's receiver, which prints the verified events. */
async function receiveByProgram({ language, port, secret, blocks }: Receiving): Promise<Receiver> {
  const extension = CODE_SAMPLE_FILE_EXTENSIONS[language] ?? language;
  const names = [`verify.${extension}`, `receiver.${extension}`];
  const codes = names.map((name) => [name, blocks.find(({ file }) => file === name)?.code ?? ''] as const);
  const cwd = await writeCodeSampleFiles(Object.fromEntries(codes));
  const runtime = CODE_SAMPLE_LANGUAGE_RUNTIMES[language]!;
  const child: ChildProcess = spawn(runtime.tool, runtime.args(names[1] ?? ''), {
    cwd,
    env: { ...process.env, SECRET: secret, PORT: String(port) },
  });
  let printed = '';
  child.stdout?.on('data', (data) => {
    printed += data;
  });
  const listens = () =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).then(
      ({ status }) => status === 400,
      () => false,
    );
  await until('the receiver listens', listens);
  return {
    told: (words) => until(words, () => printed.includes(words)),
    async close() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/**
 * Stores the body and signature header of each delivery as files, and verifies them with the page's
 * shell commands.
 */
async function receiveByHand({ port, secret, blocks, shell, cwd }: Receiving): Promise<Receiver> {
  const verify = blocks.find(({ file }) => file === 'verify.sh')?.code ?? '';
  const verified: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    response.writeHead(204).end();
    const { id, type, data } = JSON.parse(body.toString());
    writeFileSync(path.join(cwd, id), body);
    const HEADER = String(request.headers['service-signature']);
    const said = await shell(verify, { BODY: id, HEADER, SECRET: secret });
    if (said.trim() === 'verified') verified.push(`${type} ${data.object.id}`);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    told: (words) => until(words, () => verified.some((one) => one.startsWith(words))),
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
