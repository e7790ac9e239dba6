/**
 * Follows a growing list by polling for items after the last one seen. Unlike webhooks, this needs
 * no public address.
 */
import { RateLimitError, type RequestOptions, ThresholdError } from '@threshold/client';
import { note } from './output.js';

const EVERY_MS = 1_500;
/** The longest delay between attempts while the server is unavailable. */
const LONGEST_WAIT_MS = 30_000;
const PAGE = 100;

interface Item {
  readonly id: string;
}
interface Page<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
}

/**
 * Lists one page of items, newest first. With `ending_before`, lists only items newer than that id.
 */
type List<Row> = (query: { limit: number; ending_before?: string }, options: RequestOptions) => PromiseLike<Page<Row>>;

/**
 * Yields new items, oldest first, until `signal` aborts. Calls `ready` once the starting point is
 * known. After that, waits while the server is unavailable, and throws only when a request is
 * refused.
 */
export async function* tail<Row extends Item>(
  list: List<Row>,
  signal: AbortSignal,
  ready: () => void = () => {},
): AsyncGenerator<Row> {
  try {
    let last = (await list({ limit: 1 }, { signal })).data[0]?.id;
    ready();
    let failures = 0;
    while (!signal.aborted) {
      const asked = list({ limit: PAGE, ...(last && { ending_before: last }) }, { signal, maxRetries: 0 });
      const page = await Promise.resolve(asked).catch((error: unknown) => {
        if (signal.aborted || !isPassing(error)) throw error;
        return error;
      });
      if (page instanceof ThresholdError) {
        if (failures === 0) note(`The server is not available. Retrying until it is back. ${page.message}`);
        const asked_for = page instanceof RateLimitError ? page.retryAfter * 1_000 : 0;
        await pause(Math.max(Math.min(EVERY_MS * 2 ** failures, LONGEST_WAIT_MS), asked_for), signal);
        failures += 1;
        continue;
      }
      if (failures > 0) note('The server is back.');
      failures = 0;
      for (const row of page.data.toReversed()) {
        last = row.id;
        yield row;
      }
      if (!page.has_more || page.data.length === 0) await pause(EVERY_MS, signal);
    }
  } catch (error) {
    // An error after the user stopped the command is not reported.
    if (!signal.aborted) throw error;
  }
}

/**
 * Returns whether an error is temporary: there was no response, a proxy responded, or the server is
 * unavailable.
 */
function isPassing(error: unknown): error is ThresholdError {
  if (!(error instanceof ThresholdError)) return false;
  const { status, code } = error;
  if (status === 401 || status === 403) return false;
  return status === null || status === 408 || status === 429 || status >= 500 || code === 'unexpected_response';
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
