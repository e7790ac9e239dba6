/** The list envelope from a page of rows (specification, "List envelope"). */
export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

/** `url` is the list's path, `/v1/properties`. */
export function toList<Row, T>(
  page: { data: Row[]; has_more: boolean },
  url: string,
  serialize: (row: Row) => T,
): List<T> {
  return { object: 'list', data: page.data.map(serialize), has_more: page.has_more, url };
}
