/**
 * The project's folder and the operator's `.env`. scripts/*.mjs import only Node's own modules,
 * because they run before any package is installed.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT_ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Returns a path inside the project. */
export const resolveProjectPath = (...parts) => join(PROJECT_ROOT, ...parts);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Threshold needs Node 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exit(1);
}

/**
 * Reads `.env`, or the file named by ENV_FILE. With an empty ENV_FILE, reads none. Variables that
 * are already set take precedence.
 */
export function loadEnvFile() {
  const name = process.env.ENV_FILE ?? '.env';
  const file = resolve(PROJECT_ROOT, name);
  if (name && existsSync(file)) process.loadEnvFile(file);
}
