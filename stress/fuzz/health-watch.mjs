/**
 * Polls `/healthz` continuously in a separate thread, so that delays can only come from the server.
 */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const ANSWER_MS = 30_000;
const agent = new Agent({ keepAlive: true });
let running = true;
parentPort.once('message', () => {
  running = false;
});

const ask = () =>
  new Promise((resolve) => {
    const began = performance.now();
    const end = (status) => resolve({ status, ms: performance.now() - began, at: Date.now() });
    get(`${workerData}/healthz`, { agent, timeout: ANSWER_MS }, (response) => {
      response.resume().on('end', () => end(response.statusCode));
    })
      .on('timeout', () => end(0))
      .on('error', () => end(0));
  });

let worst = { status: 200, ms: 0, at: 0 };
const bad = [];
while (running) {
  const answer = await ask();
  if (answer.status !== 200) bad.push(answer.status);
  if (answer.ms > worst.ms) worst = answer;
  await sleep(20);
}
agent.destroy();
parentPort.postMessage({ worst, bad });
