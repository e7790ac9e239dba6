/**
 * The entry point of the worker thread, which runs one job at a time without database and
 * configuration. `render.ts` starts it. They exchange the messages of `render-messages.ts`.
 */
import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import { renderSealedDisputeSummary } from './dispute-pack/summary-document';
import { produceCertificate } from './produce';
import type { MessageFromRenderWorker, MessageToRenderWorker } from './render-messages';
import { generateSealingKey } from './seal/sealing-key';

const port = parentPort;
if (!port) throw new Error('render-worker runs in a worker thread only.');

// On Linux each thread has its own priority. With few cores, a low priority lets requests run
// before certificates.
if (process.platform === 'linux') os.setPriority(4);

const FAILED = {
  make_key: 'sealing key could not be made',
  render: 'certificate could not be rendered',
  summary: 'summary could not be rendered',
} as const;

const post = (message: MessageFromRenderWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

/**
 * The worker may not use the network. It sends a digest to its parent, which returns the timestamp
 * in a message.
 */
let pending_timestamp: { resolve: (token: Uint8Array) => void; reject: (error: Error) => void } | null = null;

function requestTimestamp(digest: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    pending_timestamp = { resolve, reject };
    post({ type: 'timestamp_wanted', digest });
  });
}

port.on('message', async (message: MessageToRenderWorker) => {
  if (message.type === 'timestamp') {
    if (message.token) pending_timestamp?.resolve(message.token);
    else pending_timestamp?.reject(new Error(message.error));
    pending_timestamp = null;
    return;
  }
  try {
    if (message.type === 'make_key') {
      post({ type: 'done', ...(await generateSealingKey(message.options)) });
      return;
    }
    if (message.type === 'summary') {
      const page = new Uint8Array(await renderSealedDisputeSummary(message.summary, message.seal));
      post({ type: 'done', page }, [page.buffer]);
      return;
    }
    const { input, with_timestamp } = message;
    const { pdf, sha256 } = await produceCertificate(input, with_timestamp ? requestTimestamp : undefined);
    // The copy has its own memory, which can be transferred to the parent.
    const bytes = new Uint8Array(pdf);
    post({ type: 'done', pdf: bytes, sha256 }, [bytes.buffer]);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const what = FAILED[message.type];
    post({ type: 'failed', error: `The ${what}: ${reason}` });
  }
});

post({ type: 'ready' });
