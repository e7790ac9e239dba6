/**
 * Fetches third-party tools that only one test runs and that are larger than the product's own
 * dependencies. They come from the registry in pinned versions, and are cached next to node_modules
 * when a test first needs them. The test is skipped where no registry is available.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface InstalledNpmPackages {
  /** The reason why the packages could not be fetched. Empty on success. */
  missing: string;
  /** Returns the path of a package's file, given its path below node_modules. */
  file(below: string): string;
}

export async function installNpmPackages(
  name: string,
  versions: Readonly<Record<string, string>>,
): Promise<InstalledNpmPackages> {
  const folder = path.resolve('node_modules/.cache/threshold', `${name}-${Object.values(versions).join('-')}`);
  return { missing: await install(folder, versions), file: (below) => path.join(folder, 'node_modules', below) };
}

async function install(folder: string, dependencies: Readonly<Record<string, string>>): Promise<string> {
  if (existsSync(folder)) return '';
  const made = `${folder}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  writeFileSync(path.join(made, 'package.json'), JSON.stringify({ private: true, dependencies }));
  const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run('npm', ['install', ...flags, '--fetch-retries=0', '--fetch-timeout=30000'], {
      cwd: made,
      timeout: 180_000,
    });
    renameSync(made, folder);
    return '';
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    return String((error as { stderr?: string }).stderr ?? error).split('\n')[0] ?? 'npm failed';
  }
}
