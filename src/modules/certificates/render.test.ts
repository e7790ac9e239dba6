import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterEach, describe, expect, it } from 'vitest';
import { CertificateRenderPool } from './render';
import { buildSampleCertificateInput } from './testing/sample';
import { generateTestSealingKey, writeTemporaryFile } from './testing/tools';
import type { CertificateRenderInput } from './types';
import { verifySealedPdf } from './verify/pdf';

/** Uses the source files, because a bundle may be outdated. */
const SOURCES = path.resolve('src/modules/certificates/render-worker.dev.mjs');

/** Writes a worker for the test. The JavaScript in `answer` handles each job. */
const workerThat = (answer: string) =>
  writeTemporaryFile(
    'worker.mjs',
    `import { parentPort } from 'node:worker_threads';
     parentPort.on('message', async (message) => { const { input } = message; ${answer} });
     const done = (sha256) => parentPort.postMessage({ type: 'done', pdf: new Uint8Array([1]), sha256 });`,
  );

const job = (certificate_id = 'sig_1') => ({ certificate_id }) as CertificateRenderInput;

let pool: CertificateRenderPool;
afterEach(() => pool.close());

describe('the rendering threads', () => {
  // This test is retried because it measures time, and other processes use the same processor.
  it('return a sealed certificate without blocking the event loop', { retry: 2, timeout: 120_000 }, async () => {
    const key = await generateTestSealingKey();
    pool = new CertificateRenderPool({ entry: () => SOURCES, size: 1 });
    await pool.render(buildSampleCertificateInput(key));
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const inputs = Array.from({ length: 6 }, (_, index) =>
      buildSampleCertificateInput(key, { certificate_id: `sig_0000000${index}` }),
    );
    const rendered = await Promise.all(inputs.map((input) => pool.render(input)));
    delay.disable();
    expect(delay.percentile(99) / 1e6).toBeLessThan(50);
    for (const [index, { pdf, sha256 }] of rendered.entries()) {
      const verdict = await verifySealedPdf(pdf, key.certificate_pem);
      expect(verdict).toMatchObject({
        seal: 'valid',
        sha256,
        evidence: { certificate_id: inputs[index]?.certificate_id },
      });
    }
  });

  it('report why a certificate could not be rendered, and continue', async () => {
    const key = await generateTestSealingKey();
    pool = new CertificateRenderPool({ entry: () => SOURCES, size: 1 });
    await expect(pool.render(buildSampleCertificateInput(key, { content_hash: 'b'.repeat(64) }))).rejects.toThrow(
      /not the hash of its snapshot/,
    );
    await expect(pool.render(buildSampleCertificateInput({ ...key, passphrase: 'wrong' }))).rejects.toThrow();
    expect((await pool.render(buildSampleCertificateInput(key))).pdf.length).toBeGreaterThan(10_000);
    await expect(
      pool.render(buildSampleCertificateInput(key), async () => {
        throw new Error('The authority is away.');
      }),
    ).rejects.toThrow(/The authority is away/);
  }, 120_000);

  it('are as many as configured, with one job each at a time', async () => {
    const entry = workerThat(
      'await new Promise((resolve) => setTimeout(resolve, 50)); done(String(process.hrtime.bigint()))',
    );
    pool = new CertificateRenderPool({ entry: () => entry, size: 2 });
    const jobs = Array.from({ length: 6 }, () => pool.render(job()));
    expect(pool.thread_count).toBe(2);
    expect(await Promise.all(jobs)).toHaveLength(6);
    expect(pool.thread_count).toBe(2);
  });

  it('fail only the job of a thread that dies', async () => {
    pool = new CertificateRenderPool({
      entry: () => workerThat("if (input.certificate_id === 'bad') process.exit(3); done('ok')"),
      size: 1,
    });
    const results = await Promise.allSettled([pool.render(job('a')), pool.render(job('bad')), pool.render(job('b'))]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  it('fail only the job with an uncaught exception', async () => {
    pool = new CertificateRenderPool({
      entry: () =>
        workerThat(
          "if (input.certificate_id === 'bad') setImmediate(() => { throw new Error('boom') }); else done('ok')",
        ),
      size: 1,
    });
    await expect(pool.render(job('bad'))).rejects.toThrow('boom');
    expect((await pool.render(job('good'))).sha256).toBe('ok');
  });

  it('abort a job that takes too long', async () => {
    pool = new CertificateRenderPool({
      entry: () => workerThat("if (input.certificate_id === 'slow') while (true); else done('ok')"),
      size: 1,
      job_timeout_ms: 200,
    });
    await expect(pool.render(job('slow'))).rejects.toThrow(/too long/);
    expect((await pool.render(job('quick'))).sha256).toBe('ok');
  });

  it('stop when idle for a while, and start again', async () => {
    pool = new CertificateRenderPool({ entry: () => workerThat("done('ok')"), size: 1, idle_ms: 50 });
    await pool.render(job());
    await expect.poll(() => pool.thread_count).toBe(0);
    expect((await pool.render(job())).sha256).toBe('ok');
  });

  it('reject the remaining jobs when closed', async () => {
    pool = new CertificateRenderPool({ entry: () => workerThat(''), size: 1 });
    const jobs = [pool.render(job()), pool.render(job())];
    const settled = Promise.allSettled(jobs);
    await pool.close();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
