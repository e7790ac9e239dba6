/** Strong ETags: a hash of the exact body of the resource's GET response (design "Etags"). */
import { createHash } from 'node:crypto';
import { AppError } from './errors';

/** Returns the ETag of a response body. */
export function computeEtag(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/**
 * Throws `etag_mismatch` when an `If-Match` header does not contain the resource's current ETag.
 */
export function assertEtagMatches(if_match: string | null, resource: object): void {
  if (!if_match || if_match.trim() === '*') return;
  const current = computeEtag(JSON.stringify(resource));
  if (!if_match.split(',').some((item) => item.trim() === current)) throw new AppError('etag_mismatch');
}
