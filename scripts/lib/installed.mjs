/** Whether node_modules holds what package-lock.json names, by npm's own record of what it installed. */
import { existsSync, readFileSync } from 'node:fs';
import { inProject } from './project.mjs';

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/**
 * True when every locked package is installed in its locked version. Optional packages may be missing (they belong to
 * other platforms), development packages too unless `dev` is asked for; npm calls those `devOptional` that something else
 * would use if they are there. An interrupted install leaves no record.
 */
export function dependenciesInstalled({ dev }) {
  try {
    const locked = readJson(inProject('package-lock.json')).packages;
    const installed = readJson(inProject('node_modules/.package-lock.json')).packages;
    return Object.entries(locked).every(([path, entry]) => {
      // Our own packages are in the tree; what is installed of them is the link.
      if (!path.startsWith('node_modules/') || entry.extraneous) return true;
      if (entry.link) return existsSync(inProject(path));
      const found = installed[path];
      if (found) return found.version === entry.version && found.integrity === entry.integrity;
      return entry.optional || (!dev && (entry.dev || entry.devOptional));
    });
  } catch {
    return false;
  }
}
