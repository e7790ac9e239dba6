/** Gets a key, by the dashboard or pasted, tries it, and keeps it where its user alone can read it. */
import { fstatSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Threshold } from '@threshold/client';
import { keyByDevice, type Wanted } from './device.js';
import { modeOf, readSettings, settingsFile, writeSettings } from './settings.js';
import { UsageError } from './usage.js';

/** A line from the terminal, which does not show what is typed, or from a pipe. Never from an argument: those are seen by others. */
async function readSecret(prompt: string): Promise<string> {
  const terminal = process.stdin.isTTY === true;
  const reader = createInterface({ input: process.stdin, output: process.stderr, terminal });
  if (terminal) {
    process.stderr.write(prompt);
    // What readline would write back of the typed key.
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

/** A pipe or a file; not a terminal, nor /dev/null, which a program starts others with. */
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
  /** The key is typed here instead of given out by the dashboard. A key in a pipe needs no word. */
  readonly paste: boolean;
}

/** Throws UsageError, Failure, and what the API refuses the key with. */
export async function login(wanted: LoginOptions): Promise<{ mode: 'live' | 'test'; file: string }> {
  const kept = readSettings();
  const api_root = wanted.api_root ?? process.env.THRESHOLD_API_ROOT ?? kept.api_root;
  if (!api_root || !URL.canParse(api_root))
    throw new UsageError('Say where the API is: threshold login --api-root https://…/v1');
  const key =
    wanted.paste || isPipedIn()
      ? await readSecret('Paste a key (Developers → API keys). It is not shown: ')
      : await keyByDevice(api_root, wanted);
  const mode = modeOf(key);
  await tryKey(api_root, key);
  writeSettings({ ...kept, api_root, [`${mode}_key`]: key });
  return { mode, file: settingsFile() };
}

/** A key that is restricted to other things is a key as well. */
async function tryKey(baseUrl: string, key: string): Promise<void> {
  const client = new Threshold({ apiKey: key, baseUrl, maxRetries: 0 });
  try {
    await client.properties.list({ limit: 1 });
  } catch (error) {
    const { code } = error as { code?: string };
    if (code !== 'insufficient_scope' && code !== 'plan_required') throw error;
  }
}
