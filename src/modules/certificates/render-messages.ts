/** What the pool and its worker threads say to each other. */
import type { CertificateInput } from './types';

export type ToWorker =
  | { type: 'render'; input: CertificateInput; with_timestamp: boolean }
  | { type: 'timestamp'; token: Uint8Array; error?: undefined }
  | { type: 'timestamp'; token?: undefined; error: string };

export type ToParent =
  | { type: 'ready' }
  | { type: 'done'; pdf: Uint8Array; sha256: string }
  | { type: 'failed'; error: string }
  | { type: 'timestamp_wanted'; digest: Uint8Array };
