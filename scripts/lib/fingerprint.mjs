/**
 * Whether a step's inputs changed since it last succeeded. The stamp holds two fingerprints: one of names, sizes and
 * times, which is read in milliseconds, and one of the contents, which decides when the first differs (a fresh
 * checkout of the same commit, a touched file).
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { inProject, ROOT } from './project.mjs';

const stampFile = (name) => inProject('node_modules/.cache/threshold', `${name}.json`);

function* walk(path, ignored) {
  const stat = statSync(path, { throwIfNoEntry: false });
  const name = relative(ROOT, path).replaceAll('\\', '/');
  if (!stat || ignored(name)) return;
  if (!stat.isDirectory()) {
    yield { path, name, stat };
    return;
  }
  for (const entry of readdirSync(path).sort()) yield* walk(join(path, entry), ignored);
}

function listInputs(step) {
  const ignored = step.ignored ?? (() => false);
  return step.inputs.flatMap((input) => [...walk(inProject(input), ignored)]);
}

function hashOf(step, files, identify) {
  const hash = createHash('sha256').update(`${step.version ?? 1}\0${process.platform}\0`);
  for (const file of files) hash.update(file.name).update('\0').update(identify(file)).update('\0');
  return hash.digest('base64url');
}

const statHash = (step, files) => hashOf(step, files, ({ stat }) => `${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`);
const contentHash = (step, files) => hashOf(step, files, ({ path }) => readFileSync(path));

function readStamp(name) {
  try {
    return JSON.parse(readFileSync(stampFile(name), 'utf8'));
  } catch {
    return null;
  }
}

function writeStamp(step, stat, content) {
  mkdirSync(dirname(stampFile(step.name)), { recursive: true });
  writeFileSync(stampFile(step.name), JSON.stringify({ stat, content }));
}

/** Whether the step's outputs exist and were made from the inputs as they are now. */
export function isFresh(step) {
  const stamp = readStamp(step.name);
  if (!stamp || !step.outputs.every((output) => existsSync(inProject(output)))) return false;
  const files = listInputs(step);
  const stat = statHash(step, files);
  if (stat === stamp.stat) return true;
  const content = contentHash(step, files);
  if (content !== stamp.content) return false;
  try {
    writeStamp(step, stat, content);
  } catch {
    // A container's own files cannot be written: the next command compares the contents again.
  }
  return true;
}

/**
 * Runs the step and stamps it. The inputs are fingerprinted before the work, so that a change made while it runs is
 * not taken for done; the old stamp goes first, so that a step that was interrupted is not taken for done either.
 */
export async function runAndStamp(step) {
  rmSync(stampFile(step.name), { force: true });
  const files = listInputs(step);
  const [stat, content] = [statHash(step, files), contentHash(step, files)];
  await step.run();
  const missing = step.outputs.find((output) => !existsSync(inProject(output)));
  if (missing) throw new Error(`"${step.label}" ended without making ${missing}.`);
  writeStamp(step, stat, content);
}
