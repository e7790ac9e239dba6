/**
 * Stores the API's address and the keys on this machine, in a file that only its user can read.
 * Environment variables override the file.
 */
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
    throw new Failure(`${file} is not valid JSON. Remove it and log in again.`);
  }
}

/**
 * Writes the settings to a temporary file with mode 0600, and then renames it to the settings file.
 */
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

/** Returns the API's address and a key. Throws UsageError when no key is configured. */
export function access(options: { live: boolean; api_root?: string }, env: NodeJS.ProcessEnv = process.env): Access {
  const kept = readSettings(settingsFile(env));
  const mode = options.live ? 'live' : 'test';
  const from_env = env.THRESHOLD_KEY;
  const key = from_env || (options.live ? kept.live_key : kept.test_key);
  const api_root = options.api_root || env.THRESHOLD_API_ROOT || kept.api_root;
  if (!key) throw new UsageError(`No ${mode} key is stored. Run: threshold login`);
  if (!api_root)
    throw new UsageError('The URL of the API is missing. Use --api-root https://…/v1, or run threshold login.');
  if (URL.canParse(api_root) && !/\/v\d+\/?$/.test(new URL(api_root).pathname))
    throw new UsageError(`The API root must end with /v1. Did you mean ${api_root.replace(/\/+$/, '')}/v1?`);
  const own = modeOf(key);
  if (own !== mode)
    throw new UsageError(
      own === 'live'
        ? 'THRESHOLD_KEY is a live key. Add --live to use real data.'
        : 'THRESHOLD_KEY is a test key. Remove --live.',
    );
  return { api_root, key, mode };
}

/** Returns the mode of a key. Throws UsageError for other text. */
export function modeOf(key: string): 'live' | 'test' {
  const mode = /^service_(live|test)_[a-z]{2}_[A-Za-z0-9]+$/.exec(key)?.[1];
  if (mode !== 'live' && mode !== 'test')
    throw new UsageError('That is not a key. A key begins with service_test_ or service_live_.');
  return mode;
}
