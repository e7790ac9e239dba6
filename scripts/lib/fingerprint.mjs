/** Records the contents of a step's inputs when the step succeeds, to detect later changes. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { PROJECT_ROOT, resolveProjectPath } from './project.mjs';

const recordFile = (name) => resolveProjectPath('node_modules/.cache/threshold', name);

function* walk(path, ignored) {
  const stat = statSync(path, { throwIfNoEntry: false });
  const name = relative(PROJECT_ROOT, path).replaceAll('\\', '/');
  if (!stat || ignored(name)) return;
  if (!stat.isDirectory()) yield { path, name };
  else for (const entry of readdirSync(path).sort()) yield* walk(join(path, entry), ignored);
}

function fingerprint({ inputs, ignored = () => false }) {
  const hash = createHash('sha256').update(process.platform);
  for (const input of inputs)
    for (const { path, name } of walk(resolveProjectPath(input), ignored))
      hash.update(`\0${name}\0`).update(readFileSync(path));
  return hash.digest('base64url');
}

/** Returns whether the step's outputs exist and were built from the current inputs. */
export function isStepUpToDate(step) {
  const record = recordFile(step.name);
  const made = [record, ...step.outputs.map((output) => resolveProjectPath(output))].every((file) => existsSync(file));
  return made && readFileSync(record, 'utf8') === fingerprint(step);
}

/**
 * Runs the step and records its inputs. Reads the inputs before the work, so that a change during
 * the work is detected. Removes the old record first, so that an interrupted step runs again.
 */
export async function runAndRecordInputs(step, options) {
  const record = recordFile(step.name);
  rmSync(record, { force: true });
  const found = fingerprint(step);
  await step.run(options);
  const missing = step.outputs.find((output) => !existsSync(resolveProjectPath(output)));
  if (missing) throw new Error(`"${step.label}" ended without making ${missing}.`);
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, found);
}
