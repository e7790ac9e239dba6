/**
 * Runs the worker from its sources, for tests and for a checkout in which it was not built
 * (scripts/build-bundles.mjs).
 */
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
