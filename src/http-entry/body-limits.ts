/**
 * The maximum body size of each path. A path that accepts more than a small form needs an entry in
 * this table. A path with escapes gets only the small limit.
 */
import type { IncomingMessage } from 'node:http';
import { MAX_REQUEST_BODY_BYTES } from '@/api/rest/read-body';
import { getInboundMailAuthError } from '@/modules/forwarded-mail/http';
import { MAX_MAIL_BYTES } from '@/modules/forwarded-mail/mail/limits';

const KIB = 1024;
const MIB = 1024 * KIB;

export interface BodyLimit {
  readonly bytes: number;
  /** Whether a person sends the request. Errors are then answered with a page. */
  readonly page?: boolean;
  /** Rejects a request before its body is read. Returns null to accept it. */
  readonly refuse?: (request: IncomingMessage) => Response | null;
}

export const DEFAULT_REQUEST_BODY_LIMIT: BodyLimit = { bytes: 64 * KIB };

const LIMITS: readonly (readonly [RegExp, BodyLimit])[] = [
  [/^\/v1(?=\/|$)/, { bytes: MAX_REQUEST_BODY_BYTES }],
  [/^\/mcp$/, { bytes: MAX_REQUEST_BODY_BYTES }],
  // The largest body contains a file of bookings: 400,000 characters of up to four bytes each, plus
  // JSON's escapes.
  [/^\/api\/trpc\/[\w.,-]+$/, { bytes: 2 * MIB }],
  // The body contains a photo of at most 4 MiB and a drawing, in base64. Without JavaScript it
  // contains a photo file of at most 10 MiB.
  [/^\/sign\/[\w-]+$/, { bytes: 12 * MIB, page: true }],
  [/^\/(sign|c|verify)(?=\/|$)/, { ...DEFAULT_REQUEST_BODY_LIMIT, page: true }],
  [
    /^\/api\/inbound\/email$/,
    { bytes: MAX_MAIL_BYTES, refuse: ({ headers }) => getInboundMailAuthError(headers.authorization ?? null) },
  ],
  [/^\/api\/(inbound|webhooks)\/resend$/, { bytes: 256 * KIB }],
  // A real Inngest server sends the results of all completed steps of a run.
  [/^\/api\/inngest$/, { bytes: 4 * MIB }],
];

/** Returns the limit of a request's path. */
export function getBodyLimit(url: string): BodyLimit {
  const path = url.split('?', 1)[0] ?? '';
  return LIMITS.find(([pattern]) => pattern.test(path))?.[1] ?? DEFAULT_REQUEST_BODY_LIMIT;
}
