/** Finds the files of the guards and their tests. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOTS = ['src', 'inngest', 'e2e', 'stress'];

const files = ROOTS.flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('generated')),
);

/** Returns the source files that contain a text. */
export function findSourceFilesContainingText(text: string): string[] {
  return files.filter(
    (name) => !/^stress|\.(test|spec)\.tsx?$/.test(name) && readFileSync(name, 'utf8').includes(text),
  );
}

/** Finds test files by name. */
export function findTestFilesByName(names: readonly string[]): string[] {
  return files.filter((file) => names.some((name) => file.endsWith(`/${name}`)));
}
