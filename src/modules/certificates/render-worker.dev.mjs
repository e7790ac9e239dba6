/**
 * Runs the worker from its source files, in a checkout without a build (see
 * scripts/build-bundles.mjs).
 */
import { register } from 'tsx/esm/api';

register();
await import('./render-worker.ts');
