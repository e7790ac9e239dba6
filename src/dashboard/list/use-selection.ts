'use client';
/**
 * Which rows of a list are chosen. What is no longer shown is no longer chosen: nobody acts on what
 * he does not see.
 */
import { useMemo, useState } from 'react';

export interface Selection {
  chosen: ReadonlySet<string>;
  toggle: (id: string) => void;
  /** Chooses all of these, or none of them. */
  set: (ids: readonly string[], on: boolean) => void;
  clear: () => void;
}

export function useSelection(shown: readonly { id: string }[] | undefined): Selection {
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
