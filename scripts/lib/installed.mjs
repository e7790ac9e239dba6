/**
 * Checks whether node_modules matches package-lock.json, using npm's own record of the
 * installation.
 */
import { existsSync, readFileSync } from 'node:fs';
import { resolveProjectPath } from './project.mjs';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/**
 * Returns whether every locked package is installed in its locked version. Optional packages may be
 * missing, because they are for other platforms. Development packages, and packages that npm marks
 * as `devOptional`, may be missing unless `dev` is set. An interrupted install leaves no record.
 */
export function areDependenciesInstalled({ dev }) {
  try {
    const locked = readJson(resolveProjectPath('package-lock.json')).packages;
    const installed = readJson(resolveProjectPath('node_modules/.package-lock.json')).packages;
    return Object.entries(locked).every(([path, entry]) => {
      // This project's own packages are folders of the repository. npm installs only links to them.
      if (!path.startsWith('node_modules/') || entry.extraneous) return true;
      if (entry.link) return existsSync(resolveProjectPath(path));
      const found = installed[path];
      if (found) return found.version === entry.version && found.integrity === entry.integrity;
      return entry.optional || (!dev && (entry.dev || entry.devOptional));
    });
  } catch {
    return false;
  }
}
