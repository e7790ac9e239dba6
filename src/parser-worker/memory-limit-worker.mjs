/**
 * The parser worker of the tests. It runs the product's sources, but two special words in the input
 * make it run forever or use all memory.
 */
import { parentPort } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
const { executeParserJob } = await import('./jobs.ts');

parentPort.on('message', async (job) => {
  const text = Buffer.from(job.bytes ?? job.raw).toString('latin1');
  while (text.includes('X-TAKE:for-ever'));
  const hoard = [];
  while (text.includes('X-TAKE:all-memory')) hoard.push(Array.from({ length: 10_000 }, () => ({})));
  parentPort.postMessage({ type: 'done', result: await executeParserJob(job) });
});
