'use client';
/**
 * A list's filters and cursor, kept in the URL so that a view can be shared and survives going
 * back.
 */
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useEffect, useMemo, useRef } from 'react';
import { type Cursor, readCursor, readValues, writeQuery } from './cursor';

/** `names` at module scope. What a URL holds beyond them is dropped with the next change. */
export function useListUrl<Name extends string>(names: readonly Name[]) {
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const values = useMemo(() => readValues(search, names), [search, names]);
  const cursor = useMemo(() => readCursor(search), [search]);
  // What was asked for last, which the URL says only a moment later: a filter chosen meanwhile must not bring a cleared one back.
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
    /** Changes filters; another filter is another list, so its cursor is dropped. */
    set: (changes: Partial<Record<Name, string | undefined>>) => go({ ...latest.current, ...changes } as never),
    /** The same while typing: no entry of the browser's history for each letter. */
    type: (changes: Partial<Record<Name, string | undefined>>) =>
      go({ ...latest.current, ...changes } as never, {}, 'replace'),
    turn: (turned: Cursor) => go(values, turned),
    clear: () => go({}),
    count: Object.values(values).filter(Boolean).length,
  };
}
