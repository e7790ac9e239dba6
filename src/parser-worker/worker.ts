/**
 * The entry module of the parser worker. It processes one job after another, without database or
 * configuration. infra/parser-pool.ts starts it.
 */
import { parentPort } from 'node:worker_threads';
import type { WorkerMessage } from '@/infra/worker-pool';
import { executeParserJob, type ParserJob } from './jobs';

const port = parentPort;
if (!port) throw new Error('The reading thread runs in a worker thread only.');

const post = (message: WorkerMessage<{ result: unknown }>) => port.postMessage(message);

port.on('message', async (job: ParserJob) => {
  try {
    post({ type: 'done', result: await executeParserJob(job) });
  } catch (error) {
    post({ type: 'failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
});
