'use client';
/**
 * Manages the selected rows of a list. Rows that leave the page are deselected, so that no action
 * affects hidden rows.
 */
import { useMemo, useState } from 'react';

export interface RowSelectionState {
  chosen: ReadonlySet<string>;
  toggle: (id: string) => void;
  /** Selects or deselects all rows with these ids. */
  set: (ids: readonly string[], on: boolean) => void;
  clear: () => void;
}

export function useRowSelection(shown: readonly { id: string }[] | undefined): RowSelectionState {
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const chosen = useMemo(
    () => new Set((shown ?? []).flatMap(({ id }) => (marked.has(id) ? [id] : []))),
    [shown, marked],
  );
  const set = (ids: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) on ? next.add(id) : next.delete(id);
    setMarked(next);
  };
  return {
    chosen,
    set,
    toggle: (id) => set([id], !chosen.has(id)),
    clear: () => setMarked(new Set()),
  };
}
