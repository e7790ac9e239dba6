/**
 * Gets a key through the dashboard or from standard input, tests it, and stores it in a file that
 * only its user can read.
 */
import { fstatSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Threshold } from '@threshold/client';
import { keyByDevice, type Wanted } from './device.js';
import { modeOf, readSettings, settingsFile, writeSettings } from './settings.js';
import { UsageError } from './usage.js';

/**
 * Reads a line from the terminal without echoing it, or from a pipe. A key is never passed as an
 * argument, because other users of the machine can see a command's arguments.
 */
async function readSecret(prompt: string): Promise<string> {
  const terminal = process.stdin.isTTY === true;
  const reader = createInterface({ input: process.stdin, output: process.stderr, terminal });
  if (terminal) {
    process.stderr.write(prompt);
    // Prevents readline from echoing the key.
    (reader as unknown as { _writeToOutput: () => void })._writeToOutput = () => {};
  }
  try {
    for await (const line of reader) return line.trim();
    return '';
  } finally {
    reader.close();
    if (terminal) process.stderr.write('\n');
  }
}

/**
 * Returns whether stdin is a pipe or a file. Returns false for a terminal and for /dev/null, which
 * other programs may pass.
 */
function isPipedIn(): boolean {
  if (process.stdin.isTTY) return false;
  try {
    return !fstatSync(0).isCharacterDevice();
  } catch {
    return false;
  }
}

export interface LoginOptions extends Wanted {
  readonly api_root: string | undefined;
  /**
   * Whether to read the key from standard input instead of requesting a key in the dashboard. A key
   * in a pipe is read without this option.
   */
  readonly paste: boolean;
}

/**
 * Gets, tests and stores a key. Throws UsageError and Failure. Throws the API's error for an
 * invalid key.
 */
export async function login(wanted: LoginOptions): Promise<{ mode: 'live' | 'test'; file: string }> {
  const kept = readSettings();
  const api_root = wanted.api_root ?? process.env.THRESHOLD_API_ROOT ?? kept.api_root;
  if (!api_root || !URL.canParse(api_root))
    throw new UsageError('The URL of the API is missing: threshold login --api-root https://…/v1');
  const key =
    wanted.paste || isPipedIn()
      ? await readSecret('Paste a key from Developers → API keys (your input is hidden): ')
      : await keyByDevice(api_root, wanted);
  const mode = modeOf(key);
  await tryKey(api_root, key);
  writeSettings({ ...kept, api_root, [`${mode}_key`]: key });
  return { mode, file: settingsFile() };
}

/** Tests a key with a request. A restricted key that lacks the request's scope is valid too. */
async function tryKey(baseUrl: string, key: string): Promise<void> {
  const client = new Threshold({ apiKey: key, baseUrl, maxRetries: 0 });
  try {
    await client.properties.list({ limit: 1 });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'insufficient_scope' && code !== 'plan_required') throw error;
  }
}
