/**
 * Configures esbuild for the server's own sources. Packages stay external, so that each is loaded
 * only once and shared with Next.
 */
import { PROJECT_ROOT } from './project.mjs';

/**
 * Returns esbuild's options for a bundle in `outdir`: `server.mjs`, and `operator.mjs` for the
 * operator's commands.
 */
export const getServerBundleOptions = (outdir) => ({
  absWorkingDir: PROJECT_ROOT,
  entryPoints: { server: 'src/server.ts', operator: 'src/operator/main.ts' },
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  // Dynamically imported code stays in separate files.
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  jsx: 'automatic',
  sourcemap: true,
  tsconfig: 'tsconfig.json',
  logLevel: 'warning',
});
