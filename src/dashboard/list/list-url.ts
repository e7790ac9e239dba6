'use client';
/**
 * Keeps a list's filters and cursor in the URL, so that users can share a view and go back to it.
 */
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useRef } from 'react';
import { buildQueryString, type Cursor, readCursorFromUrl, readFilterParams } from './cursor';

/**
 * Returns the filters and the cursor from the URL, with functions to change them. `names` must be a
 * constant outside of the component. A change removes all other parameters from the URL.
 */
export function useListUrl<Name extends string>(names: readonly Name[]) {
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const values = useMemo(() => readFilterParams(search, names), [search, names]);
  const cursor = useMemo(() => readCursorFromUrl(search), [search]);
  // The newest values. The URL changes with a delay, and two quick changes must not overwrite each
  // other.
  const latest = useRef(values);
  useEffect(() => {
    latest.current = values;
  }, [values]);
  const go = (next: Partial<Record<Name, string>>, turned: Cursor = {}, how: 'push' | 'replace' = 'push') => {
    latest.current = next as typeof values;
    const query = buildQueryString({ ...next, ...turned });
    router[how](query ? `${pathname}?${query}` : pathname, { scroll: false });
  };
  return {
    values,
    cursor,
    /** Changes filters and resets the cursor, which is only valid for the old filters. */
    set: (changes: Partial<Record<Name, string | undefined>>) => go({ ...latest.current, ...changes } as never),
    /**
     * Like `set`, but replaces the history entry, so that typing does not add an entry for each
     * letter.
     */
    type: (changes: Partial<Record<Name, string | undefined>>) =>
      go({ ...latest.current, ...changes } as never, {}, 'replace'),
    turn: (turned: Cursor) => go(values, turned),
    clear: () => go({}),
    count: Object.values(values).filter(Boolean).length,
  };
}
