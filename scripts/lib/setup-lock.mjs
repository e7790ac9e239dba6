/**
 * Ensures that only one command installs and builds at a time. The command that holds the lock
 * touches the lock file every two seconds. A lock file that has not been touched for twenty seconds
 * was left by a killed process. The lock file is outside node_modules, because `npm ci` empties
 * that folder.
 */
import { mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { resolveProjectPath } from './project.mjs';

const FILE = resolveProjectPath('build/setup.lock');
const TOUCH_MS = 2000;
const STALE_MS = 20_000;

const release = () => rmSync(FILE, { force: true });

function tryTake() {
  mkdirSync(dirname(FILE), { recursive: true });
  const touched = statSync(FILE, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  if (Date.now() - touched > STALE_MS) release();
  try {
    writeFileSync(FILE, '', { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function touch() {
  try {
    utimesSync(FILE, new Date(), new Date());
  } catch {}
}

/**
 * Waits for the lock and runs `work` while holding it. Calls `onWait` once if another command holds
 * the lock.
 */
export async function withSetupLock(work, onWait) {
  if (!tryTake()) {
    onWait();
    while (!tryTake()) await sleep(250);
  }
  const timer = setInterval(touch, TOUCH_MS);
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    process.off('exit', release);
    release();
  }
}
