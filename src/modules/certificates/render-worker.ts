/**
 * The worker thread's entry: one job after another, no database, no configuration. Started by `render-pool.ts`;
 * talks in the messages of `render-messages.ts`.
 */
import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import { produceSummary } from './dispute-pack/summary-document';
import { produceCertificate } from './produce';
import type { ToParent, ToWorker } from './render-messages';
import { generateSealingKey } from './seal/sealing-key';

const port = parentPort;
if (!port) throw new Error('render-worker runs in a worker thread only.');

// On Linux a priority belongs to the thread: requests come before certificates when cores are few.
if (process.platform === 'linux') os.setPriority(4);

const FAILED = {
  make_key: 'sealing key could not be made',
  render: 'certificate could not be rendered',
  summary: 'summary could not be rendered',
} as const;

const post = (message: ToParent, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

/** The parent talks to the authority (only it may reach the network); the answer comes back as a message. */
let answerTimestamp: { resolve: (token: Uint8Array) => void; reject: (error: Error) => void } | null = null;

function askParentForTimestamp(digest: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    answerTimestamp = { resolve, reject };
    post({ type: 'timestamp_wanted', digest });
  });
}

port.on('message', async (message: ToWorker) => {
  if (message.type === 'timestamp') {
    if (message.token) answerTimestamp?.resolve(message.token);
    else answerTimestamp?.reject(new Error(message.error));
    answerTimestamp = null;
    return;
  }
  try {
    if (message.type === 'make_key') {
      post({ type: 'done', ...(await generateSealingKey(message.options)) });
      return;
    }
    if (message.type === 'summary') {
      const page = new Uint8Array(await produceSummary(message.summary, message.seal));
      post({ type: 'done', page }, [page.buffer]);
      return;
    }
    const { input, with_timestamp } = message;
    const { pdf, sha256 } = await produceCertificate(input, with_timestamp ? askParentForTimestamp : undefined);
    // A copy that owns its memory, so that it moves to the parent instead of being copied there.
    const bytes = new Uint8Array(pdf);
    post({ type: 'done', pdf: bytes, sha256 }, [bytes.buffer]);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const what = FAILED[message.type];
    post({ type: 'failed', error: `The ${what}: ${reason}` });
  }
});

post({ type: 'ready' });
