import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
// @ts-expect-error the build script is plain JavaScript
import { buildGuestAssets } from '../build-assets.mjs';

/**
 * Builds the pages' stylesheet, script and fonts into a temporary folder, from which the tested
 * pages read them.
 */
export function buildAssetsForTests(): void {
  const before = process.cwd();
  const root = mkdtempSync(join(tmpdir(), 'guest-assets-'));
  beforeAll(async () => {
    await buildGuestAssets(join(root, 'build', 'guest'));
    process.chdir(root);
  });
  afterAll(() => {
    process.chdir(before);
    rmSync(root, { recursive: true, force: true });
  });
}
