/**
 * Renders and seals in worker threads, because each certificate takes hundreds of milliseconds of
 * CPU.
 */
import { availableParallelism } from 'node:os';
import { resolveWorkerEntryFile, WorkerPool, type WorkerPoolOptions } from '@/infra/worker-pool';
import type { DisputePackSummary } from './dispute-pack/summary';
import type { DisputeSummarySealOptions } from './dispute-pack/summary-document';
import type { MessageToRenderWorker, RenderedDisputeSummary, TimestampRequestMessage } from './render-messages';
import type { GeneratedSealingKey, SealingKeyOptions } from './seal/sealing-key';
import type { CertificateRenderInput, RenderedCertificate, TimestampAuthority } from './types';

export class CertificateRenderPool extends WorkerPool {
  constructor(options: Partial<WorkerPoolOptions> = {}) {
    super({
      name: 'certificate-renderer',
      entry: () =>
        resolveWorkerEntryFile(
          'build/certificates/render-worker.mjs',
          'src/modules/certificates/render-worker.dev.mjs',
        ),
      // On two cores, two threads are acceptable because they have a lower priority than the event
      // loop (render-worker.ts).
      size: Math.min(2, availableParallelism()),
      job_timeout_ms: 120_000,
      memory_mb: 1024,
      ...options,
    });
  }

  /**
   * Returns the sealed PDF and its SHA-256. Throws when the input is inconsistent, when rendering
   * fails, or when the time-stamping authority does not respond. Nothing is stored, so the caller
   * can retry.
   */
  async render(input: CertificateRenderInput, tsa?: TimestampAuthority): Promise<RenderedCertificate> {
    const message: MessageToRenderWorker = { type: 'render', input, with_timestamp: tsa !== undefined };
    const { pdf, sha256 } = await this.run<RenderedCertificate>(message, [], (question, answer) => {
      if (tsa) void answerTimestamp(tsa, question as TimestampRequestMessage, answer);
    });
    return { pdf, sha256 };
  }

  /** Returns the sealed page of a dispute pack. */
  async summary(summary: DisputePackSummary, seal: DisputeSummarySealOptions): Promise<Uint8Array> {
    const message: MessageToRenderWorker = { type: 'summary', summary, seal };
    return (await this.run<RenderedDisputeSummary>(message)).page;
  }

  /** Creates a sealing key with its certificate. Takes a second or two. */
  async makeKey(options: SealingKeyOptions): Promise<GeneratedSealingKey> {
    const message: MessageToRenderWorker = { type: 'make_key', options };
    const { p12, passphrase, certificate_pem } = await this.run<GeneratedSealingKey>(message);
    return { p12, passphrase, certificate_pem };
  }
}

async function answerTimestamp(
  tsa: TimestampAuthority,
  { digest }: TimestampRequestMessage,
  answer: (message: MessageToRenderWorker) => void,
): Promise<void> {
  try {
    answer({ type: 'timestamp', token: await tsa(digest) });
  } catch (error) {
    answer({ type: 'timestamp', error: error instanceof Error ? error.message : String(error) });
  }
}

// The server and Next load separate copies of this module. They share one pool.
const slot = globalThis as typeof globalThis & { __thresholdRenderPool?: CertificateRenderPool };

/**
 * Returns the pool of threads. Only tests pass options, which take effect when there is no pool
 * yet.
 */
export function getCertificateRenderPool(options: Partial<WorkerPoolOptions> = {}): CertificateRenderPool {
  slot.__thresholdRenderPool ??= new CertificateRenderPool(options);
  return slot.__thresholdRenderPool;
}

/** Stops the threads at shutdown. A later call starts new threads. */
export async function closeCertificateRenderPool(): Promise<void> {
  await slot.__thresholdRenderPool?.close();
  slot.__thresholdRenderPool = undefined;
}
