/** Renders and seals certificates off the event loop. The rest of the product calls this and nothing else of it. */
import type { Summary } from './dispute-pack/summary';
import type { SummarySeal } from './dispute-pack/summary-document';
import { RenderPool } from './render-pool';
import type { GeneratedSealingKey, SealingKeyOptions } from './seal/sealing-key';
import type { CertificateInput, RenderedCertificate, TimestampAuthority } from './types';

// One pool for the server's and the Next bundle's copy of this module.
const slot = globalThis as typeof globalThis & { __thresholdRenderPool?: RenderPool };

function pool(): RenderPool {
  slot.__thresholdRenderPool ??= new RenderPool();
  return slot.__thresholdRenderPool;
}

/**
 * The sealed PDF and its SHA-256. Throws when the input contradicts itself (hash, trail), when rendering fails, or when
 * the time-stamping authority does not answer; nothing is kept, so the caller can try again.
 */
export function renderCertificate(input: CertificateInput, tsa?: TimestampAuthority): Promise<RenderedCertificate> {
  return pool().render(input, tsa);
}

/** The one page of a dispute pack, sealed. */
export function renderSummaryPage(summary: Summary, seal: SummarySeal): Promise<Uint8Array> {
  return pool().summary(summary, seal);
}

/** A new sealing key with its certificate; takes a second or two. */
export function makeSealingKey(options: SealingKeyOptions): Promise<GeneratedSealingKey> {
  return pool().makeKey(options);
}

/** Ends the threads, for a clean shutdown. Rendering again afterwards starts new ones. */
export async function closeRenderer(): Promise<void> {
  await slot.__thresholdRenderPool?.close();
  slot.__thresholdRenderPool = undefined;
}
