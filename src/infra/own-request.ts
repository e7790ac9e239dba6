/**
 * Requests that this process makes of itself (src/warm-up.ts) carry a secret that is made at its start and never leaves it.
 */
import { randomBytes } from 'node:crypto';
import { equalInConstantTime } from './encryption';

const HEADER = 'x-threshold-own-request';

// One secret for the server's and the Next bundle's copy of this module.
const slot = globalThis as typeof globalThis & { __thresholdOwnRequest?: string };
const secret = () => {
  slot.__thresholdOwnRequest ??= randomBytes(32).toString('base64url');
  return slot.__thresholdOwnRequest;
};

/** What a request to this process has to carry to be known as its own. */
export const ownRequestHeaders = () => ({ [HEADER]: secret() });

/** Whether this process sent the request itself. In constant time. */
export const isOwnRequest = (headers: Headers): boolean => equalInConstantTime(headers.get(HEADER) ?? '', secret());
