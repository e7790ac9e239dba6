/**
 * A list. `await` returns its first page, and `for await` iterates over the items of all pages.
 * Creating the list does not send a request.
 */

export interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
}

/** The page size for iteration when `limit` is not given. It is the API's maximum. */
const LIMIT = 100;

type Query = Record<string, unknown>;

export class List<Item, Whole> implements PromiseLike<Whole>, AsyncIterable<Item> {
  readonly #fetch: (query: Query) => Promise<Page<Item>>;
  readonly #query: Query;
  #first: Promise<Page<Item>> | undefined;

  constructor(fetch: (query: Query) => Promise<Page<Item>>, query: Query = {}) {
    this.#fetch = fetch;
    this.#query = query;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is awaited for its first page.
  then<Kept = Whole, Caught = never>(
    kept?: ((page: Whole) => Kept | PromiseLike<Kept>) | null,
    caught?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Kept | Caught> {
    this.#first ??= this.#fetch(this.#query);
    return (this.#first as Promise<unknown> as Promise<Whole>).then(kept, caught);
  }

  /**
   * Yields items newest first. With `ending_before`, yields the items newer than that cursor,
   * oldest first. Requests further pages when they are needed, with 100 items each unless `limit`
   * is given.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    const backwards = this.#query.ending_before !== undefined;
    const cursor = backwards ? 'ending_before' : 'starting_after';
    let query: Query = { limit: LIMIT, ...this.#query };
    for (;;) {
      const { data, has_more } = await this.#fetch(query);
      const items = backwards ? [...data].reverse() : data;
      yield* items;
      const last = (items.at(-1) as { id?: string } | undefined)?.id;
      // Stops when a page makes no progress, because it would be requested forever.
      if (!has_more || last === undefined || last === query[cursor]) return;
      query = { ...query, [cursor]: last };
    }
  }
}
