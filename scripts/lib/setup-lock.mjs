/**
 * One command sets up at a time. The holder touches the lock every two seconds, so a lock whose process was killed, or
 * whose machine restarted, is recognised on every platform. It lies outside node_modules, which `npm ci` empties.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, utimesSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inProject } from './project.mjs';

const FILE = inProject('build/setup.lock');
const TOUCH_MS = 2000;
const STALE_MS = 20_000;

function tryTake() {
  mkdirSync(dirname(FILE), { recursive: true });
  try {
    const handle = openSync(FILE, 'wx');
    writeSync(handle, String(process.pid));
    closeSync(handle);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isStale() {
  const stat = statSync(FILE, { throwIfNoEntry: false });
  if (!stat) return false;
  if (Date.now() - stat.mtimeMs > STALE_MS) return true;
  try {
    const pid = Number(readFileSync(FILE, 'utf8'));
    if (pid > 0) process.kill(pid, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

/** Waits for the lock and runs `work` under it. `onWait` is called once when another command holds it. */
export async function withSetupLock(work, onWait) {
  let waited = false;
  while (!tryTake()) {
    if (isStale()) {
      rmSync(FILE, { force: true });
      continue;
    }
    if (!waited) onWait();
    waited = true;
    await sleep(250);
  }
  const touch = setInterval(() => {
    try {
      utimesSync(FILE, new Date(), new Date());
    } catch {}
  }, TOUCH_MS);
  const release = () => rmSync(FILE, { force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(touch);
    process.off('exit', release);
    release();
  }
}
