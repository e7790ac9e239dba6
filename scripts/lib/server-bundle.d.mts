import type { BuildOptions } from 'esbuild';

export function getServerBundleOptions(outdir: string): BuildOptions;
