/**
 * Runs the worker from its sources, for tests and a checkout in which it was not built (see
 * scripts/build-bundles.mjs).
 */
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
