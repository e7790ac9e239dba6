/** Reads and writes cursors and filters in a URL. Pure. */

/**
 * The page starts after the object with the id `after`, or ends before the object with the id
 * `before`.
 */
export interface Cursor {
  after?: string;
  before?: string;
}

type Params = Pick<URLSearchParams, 'get'>;

const text = (params: Params, name: string) => params.get(name)?.trim() || undefined;

/** Reads the cursor from a URL. When an old link has both parameters, `before` is ignored. */
export function readCursorFromUrl(params: Params): Cursor {
  const after = text(params, 'after');
  const before = text(params, 'before');
  return after ? { after } : before ? { before } : {};
}

export function readFilterParams<Name extends string>(
  params: Params,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const values: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = text(params, name);
    if (value) values[name] = value;
  }
  return values;
}

/** Returns the query string without the question mark and without empty values. */
export function buildQueryString(values: Record<string, string | undefined>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value?.trim()) params.set(name, value.trim());
  return params.toString();
}

/** Converts the cursor to the input of a list procedure. */
export function buildListInputFromCursor({ after, before }: Cursor) {
  return { ...(after && { starting_after: after }), ...(before && { ending_before: before }) };
}

/** Returns the value if it is one of `values`. */
export function pickAllowedValue<T extends string>(values: readonly T[], value: string | undefined): T | undefined {
  return values.find((item) => item === value);
}

/**
 * Returns the cursors of the neighboring pages. `page.has_more` refers to the direction in which
 * the user is paging.
 */
export function getNeighborCursors(
  cursor: Cursor,
  page: { data: readonly { id: string }[]; has_more: boolean } | undefined,
): { newer: Cursor | null; older: Cursor | null } {
  if (!page) return { newer: null, older: null };
  const first = page.data[0]?.id;
  const last = page.data.at(-1)?.id;
  const has_newer = cursor.before ? page.has_more : Boolean(cursor.after);
  const has_older = cursor.before ? true : page.has_more;
  return {
    newer: has_newer ? (first ? { before: first } : {}) : null,
    older: has_older && last ? { after: last } : null,
  };
}
