/** The threads that render and seal: a certificate costs hundreds of milliseconds of CPU. */
import { availableParallelism } from 'node:os';
import { WorkerPool, workerEntry } from '@/infra/worker-pool';
import type { Summary } from './dispute-pack/summary';
import type { SummarySeal } from './dispute-pack/summary-document';
import type { RenderedSummary, TimestampQuestion, ToWorker } from './render-messages';
import type { GeneratedSealingKey, SealingKeyOptions } from './seal/sealing-key';
import type { CertificateInput, RenderedCertificate, TimestampAuthority } from './types';

export interface RenderPoolOptions {
  /** Threads at most; by default one for each of two cores: they yield to the event loop's (render-worker.ts). */
  size?: number;
  /** A thread without work ends after this time. */
  idle_ms?: number;
  /** A job that takes longer fails, and its thread with it. */
  job_timeout_ms?: number;
  /** The worker's file; by default the built one, or the sources when it was not built. */
  entry?: string;
}

const builtEntry = () =>
  workerEntry('build/certificates/render-worker.mjs', 'src/modules/certificates/render-worker.dev.mjs');

export class RenderPool {
  private readonly pool: WorkerPool;

  constructor({ entry, job_timeout_ms = 120_000, ...options }: RenderPoolOptions = {}) {
    this.pool = new WorkerPool({
      size: Math.min(2, availableParallelism()),
      ...options,
      name: 'certificate-renderer',
      entry: () => entry ?? builtEntry(),
      job_timeout_ms,
      memory_mb: 1024,
    });
  }

  /** Renders in the next free thread. Rejects with the worker's error, when its thread dies, or when it takes too long. */
  async render(input: CertificateInput, tsa?: TimestampAuthority): Promise<RenderedCertificate> {
    const message: ToWorker = { type: 'render', input, with_timestamp: tsa !== undefined };
    const { pdf, sha256 } = await this.pool.run<RenderedCertificate>(message, [], (question, answer) => {
      if (tsa) void answerTimestamp(tsa, question as TimestampQuestion, answer);
    });
    return { pdf, sha256 };
  }

  /** Renders and seals the summary of a dispute pack in the next free thread. */
  async summary(summary: Summary, seal: SummarySeal): Promise<Uint8Array> {
    const message: ToWorker = { type: 'summary', summary, seal };
    return (await this.pool.run<RenderedSummary>(message)).page;
  }

  /** Makes a sealing key in the next free thread. */
  async makeKey(options: SealingKeyOptions): Promise<GeneratedSealingKey> {
    const message: ToWorker = { type: 'make_key', options };
    const { p12, passphrase, certificate_pem } = await this.pool.run<GeneratedSealingKey>(message);
    return { p12, passphrase, certificate_pem };
  }

  /** Ends every thread; jobs that have not ended are rejected. */
  close(): Promise<void> {
    return this.pool.close();
  }

  /** How many threads there are. */
  get thread_count(): number {
    return this.pool.thread_count;
  }
}

async function answerTimestamp(
  tsa: TimestampAuthority,
  { digest }: TimestampQuestion,
  answer: (message: ToWorker) => void,
): Promise<void> {
  try {
    answer({ type: 'timestamp', token: await tsa(digest) });
  } catch (error) {
    answer({ type: 'timestamp', error: error instanceof Error ? error.message : String(error) });
  }
}
