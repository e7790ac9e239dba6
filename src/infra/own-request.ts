/**
 * Identifies requests from this process to itself (src/warm-up.ts). They carry a secret that is
 * created when the process starts and never leaves the process.
 */
import { randomBytes } from 'node:crypto';
import { isEqualInConstantTime } from './encryption';

const HEADER = 'x-threshold-own-request';

// The server's and Next's copy of this module share this slot.
const slot = globalThis as typeof globalThis & { __thresholdOwnRequest?: string };
const secret = () => {
  slot.__thresholdOwnRequest ??= randomBytes(32).toString('base64url');
  return slot.__thresholdOwnRequest;
};

/** Returns the header that identifies a request as this process's own. */
export const buildHeadersMarkingOwnRequests = () => ({ [HEADER]: secret() });

/** Returns whether this process sent the request itself. Compares in constant time. */
export const isRequestFromThisProcess = (headers: Headers): boolean =>
  isEqualInConstantTime(headers.get(HEADER) ?? '', secret());
