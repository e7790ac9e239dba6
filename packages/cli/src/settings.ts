/** Where the API is and which keys this machine has: a file that its user alone can read. The environment comes first. */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { Failure, UsageError } from './usage.js';

export interface Settings {
  readonly api_root?: string;
  readonly test_key?: string;
  readonly live_key?: string;
}

export function settingsFile(env: NodeJS.ProcessEnv = process.env): string {
  const folder = env.XDG_CONFIG_HOME || path.join(env.HOME || homedir(), '.config');
  return path.join(folder, 'threshold', 'settings.json');
}

export function readSettings(file = settingsFile()): Settings {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {};
  }
  try {
    return JSON.parse(text) as Settings;
  } catch {
    throw new Failure(`${file} is not readable as JSON. Remove it and log in again.`);
  }
}

/** Written beside and moved into place, with mode 0600 from the first byte on. */
export function writeSettings(settings: Settings, file = settingsFile()): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  chmodSync(beside, 0o600);
  renameSync(beside, file);
}

export const removeSettings = (file = settingsFile()): void => rmSync(file, { force: true });

export interface Access {
  readonly api_root: string;
  readonly key: string;
  readonly mode: 'live' | 'test';
}

/** What to call, and with which key. Throws UsageError when nobody has logged in. */
export function access(options: { live: boolean; api_root?: string }, env: NodeJS.ProcessEnv = process.env): Access {
  const kept = readSettings(settingsFile(env));
  const mode = options.live ? 'live' : 'test';
  const from_env = env.THRESHOLD_KEY;
  const key = from_env || (options.live ? kept.live_key : kept.test_key);
  const api_root = options.api_root || env.THRESHOLD_API_ROOT || kept.api_root;
  if (!key) throw new UsageError(`There is no ${mode} key here. Run: threshold login`);
  if (!api_root) throw new UsageError('Say where the API is: --api-root https://…/v1, or threshold login.');
  if (URL.canParse(api_root) && !/\/v\d+\/?$/.test(new URL(api_root).pathname))
    throw new UsageError(`The API root ends with /v1. Did you mean ${api_root.replace(/\/+$/, '')}/v1?`);
  const own = modeOf(key);
  if (own !== mode)
    throw new UsageError(
      own === 'live'
        ? 'THRESHOLD_KEY is a live key: add --live if you mean real data.'
        : 'THRESHOLD_KEY is a test key: leave --live out.',
    );
  return { api_root, key, mode };
}

/** Throws UsageError for what is no key. */
export function modeOf(key: string): 'live' | 'test' {
  const mode = /^service_(live|test)_[a-z]{2}_[A-Za-z0-9]+$/.exec(key)?.[1];
  if (mode !== 'live' && mode !== 'test')
    throw new UsageError('That is no key: it begins with service_test_ or service_live_.');
  return mode;
}
