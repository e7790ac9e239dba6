/** The messages between the pool and its worker threads. */
import type { WorkerMessage } from '@/infra/worker-pool';
import type { DisputePackSummary } from './dispute-pack/summary';
import type { DisputeSummarySealOptions } from './dispute-pack/summary-document';
import type { GeneratedSealingKey, SealingKeyOptions } from './seal/sealing-key';
import type { CertificateRenderInput, RenderedCertificate } from './types';

export type MessageToRenderWorker =
  | { type: 'render'; input: CertificateRenderInput; with_timestamp: boolean }
  | { type: 'summary'; summary: DisputePackSummary; seal: DisputeSummarySealOptions }
  | { type: 'make_key'; options: SealingKeyOptions }
  | { type: 'timestamp'; token: Uint8Array; error?: undefined }
  | { type: 'timestamp'; token?: undefined; error: string };

export interface RenderedDisputeSummary {
  page: Uint8Array;
}

export interface TimestampRequestMessage {
  type: 'timestamp_wanted';
  digest: Uint8Array;
}

export type MessageFromRenderWorker = WorkerMessage<
  RenderedCertificate | GeneratedSealingKey | RenderedDisputeSummary,
  TimestampRequestMessage
>;
