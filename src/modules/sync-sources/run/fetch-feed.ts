/**
 * Fetches a calendar (design "Outbound requests"), with limits on time and size, and conditionally
 * if possible.
 */
import { config } from '@/config';
import { safeFetch } from '@/infra/outbound/client';
import { OutboundError } from '@/infra/outbound/errors';
import { clock } from '@/shared/clock';
import { toStorableText } from '@/shared/text/storable-text';
import { MAX_FEED_BYTES } from '../feed/text';
import {
  buildSyncOutcomeForFailedFeedFetch,
  buildSyncOutcomeForHttpStatus,
  type SyncRunOutcome,
} from './outcome-messages';
import { parseRetryAfterHeaderAsMs } from './schedule.rules';

const TIMEOUT_MS = 15_000;
const MAX_REDIRECTS = 5;
const EXCERPT = 200;
/**
 * The maximum length of a stored validator. A validator must be sent back unchanged, so a longer
 * one is dropped.
 */
const MAX_VALIDATOR = 500;

/**
 * The validators (ETag, Last-Modified) of the server's last response, for a conditional request.
 */
export interface CacheValidators {
  readonly etag: string | null;
  readonly last_modified: string | null;
}

interface Fetched {
  readonly http_status: number | null;
  readonly duration_ms: number;
}

export type FetchedFeed = Fetched &
  (
    | {
        readonly kind: 'body';
        readonly bytes: Uint8Array;
        readonly content_type: string | null;
        readonly validators: CacheValidators;
      }
    | { readonly kind: 'not_modified' }
    | {
        readonly kind: 'failed';
        readonly outcome: SyncRunOutcome;
        readonly excerpt: string | null;
        readonly retry_after: string | null;
      }
  );

/**
 * Fetches a calendar. Never throws for a server's failure, which is returned as an outcome with a
 * message for the host.
 */
export async function fetchFeed(url: string, validators: CacheValidators | null): Promise<FetchedFeed> {
  try {
    const response = await safeFetch(url, {
      timeout_ms: TIMEOUT_MS,
      max_body_bytes: MAX_FEED_BYTES,
      max_redirects: MAX_REDIRECTS,
      body_policy: 'whole',
      allow_loopback: config().outbound_allow_loopback,
      headers: {
        accept: 'text/calendar, text/plain;q=0.8, */*;q=0.5',
        'user-agent': 'Threshold calendar sync',
        ...(validators?.etag && { 'if-none-match': validators.etag }),
        ...(validators?.last_modified && { 'if-modified-since': validators.last_modified }),
      },
    });
    const { status: http_status, duration_ms, headers, body } = response;
    const fetched = { http_status, duration_ms };
    if (http_status === 304 && validators) return { ...fetched, kind: 'not_modified' };
    if (http_status < 200 || http_status >= 300) {
      const retry_after = headers['retry-after'] ?? null;
      const outcome = buildSyncOutcomeForHttpStatus(
        http_status,
        retry_after,
        parseRetryAfterHeaderAsMs(retry_after, clock().now()),
      );
      return { ...fetched, kind: 'failed', outcome, excerpt: excerptOf(body), retry_after };
    }
    return {
      ...fetched,
      kind: 'body',
      bytes: body,
      content_type: headers['content-type'] ?? null,
      validators: { etag: validator(headers.etag), last_modified: validator(headers['last-modified']) },
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const { status: http_status, duration_ms, kind } = error;
    return {
      http_status,
      duration_ms,
      kind: 'failed',
      outcome: buildSyncOutcomeForFailedFeedFetch(kind),
      excerpt: null,
      retry_after: null,
    };
  }
}

const validator = (value: string | undefined) => (value && value.length <= MAX_VALIDATOR ? value : null);

/** Returns the start of the body, as text that can be stored. */
function excerptOf(body: Uint8Array): string | null {
  const text = new TextDecoder().decode(body.subarray(0, EXCERPT * 4));
  return toStorableText(toStorableText(text).trim(), EXCERPT) || null;
}
