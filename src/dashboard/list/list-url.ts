'use client';
/**
 * A list's filters and cursor, kept in the URL so that a view can be shared and survives going
 * back.
 */
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useRef } from 'react';
import { type Cursor, readCursor, readFilterParams, writeQuery } from './cursor';

/**
 * `names` must be a constant outside of the component. Other parameters of the URL are dropped with
 * the next change.
 */
export function useListUrl<Name extends string>(names: readonly Name[]) {
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const values = useMemo(() => readFilterParams(search, names), [search, names]);
  const cursor = useMemo(() => readCursor(search), [search]);
  // The newest values. The URL follows later, so a filter chosen meanwhile must not restore a cleared one.
  const latest = useRef(values);
  useEffect(() => {
    latest.current = values;
  }, [values]);
  const go = (next: Partial<Record<Name, string>>, turned: Cursor = {}, how: 'push' | 'replace' = 'push') => {
    latest.current = next as typeof values;
    const query = writeQuery({ ...next, ...turned });
    router[how](query ? `${pathname}?${query}` : pathname, { scroll: false });
  };
  return {
    values,
    cursor,
    /** Changes filters and drops the cursor, which belongs to another list. */
    set: (changes: Partial<Record<Name, string | undefined>>) => go({ ...latest.current, ...changes } as never),
    /**
     * Like `set`, but replaces the history entry, so that typing does not add one for each letter.
     */
    type: (changes: Partial<Record<Name, string | undefined>>) =>
      go({ ...latest.current, ...changes } as never, {}, 'replace'),
    turn: (turned: Cursor) => go(values, turned),
    clear: () => go({}),
    count: Object.values(values).filter(Boolean).length,
  };
}
