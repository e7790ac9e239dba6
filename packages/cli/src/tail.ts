/** Follows a list as it grows. No public address is needed: it is asked for what came after the last that was seen. */

const EVERY_MS = 1_500;
const PAGE = 100;

interface Item {
  readonly id: string;
}
interface Page<Row> {
  readonly data: readonly Row[];
  readonly has_more: boolean;
}

/** Lists the newest first, a page before a cursor. */
type List<Row> = (query: { limit: number; ending_before?: string }) => PromiseLike<Page<Row>>;

/** What comes from now on, the oldest first, until `signal` says so. `ready` is called once the beginning is fixed. */
export async function* tail<Row extends Item>(
  list: List<Row>,
  signal: AbortSignal,
  ready: () => void = () => {},
): AsyncGenerator<Row> {
  let last = (await list({ limit: 1 })).data[0]?.id;
  ready();
  while (!signal.aborted) {
    const page = await list({ limit: PAGE, ...(last && { ending_before: last }) });
    for (const row of page.data.toReversed()) {
      last = row.id;
      yield row;
    }
    if (!page.has_more || page.data.length === 0) await pause(EVERY_MS, signal);
  }
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
