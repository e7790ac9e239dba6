'use client';
/**
 * The single keys of a list's rows: j and k go from one to the next, others do something with the
 * one that has the focus.
 */
import { type RefObject, useEffect, useRef } from 'react';

export type RowKey = 'next' | 'previous' | 'select' | 'send' | 'resend';
type Act = (id: string, key: Exclude<RowKey, 'next' | 'previous'>) => void;

/** The list that is on the page. */
let pressed: ((key: RowKey) => boolean) | null = null;

/** Tells the page's list of a key. Returns whether it did anything. */
export const pressRowKey = (key: RowKey): boolean => pressed?.(key) ?? false;

/**
 * Rows are the elements with `data-row`, whose value is the id; of each the first link takes the
 * focus.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>, act: Act): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const press = (key: RowKey): boolean => {
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].filter(
        // The same rows are there twice, for a phone and for a desktop.
        (row) => row.offsetParent !== null,
      );
      const at = rows.findIndex((row) => row.contains(document.activeElement));
      if (key === 'next' || key === 'previous') {
        const next = rows[at === -1 ? 0 : Math.min(Math.max(at + (key === 'next' ? 1 : -1), 0), rows.length - 1)];
        const link = next?.querySelector<HTMLElement>('a[href]');
        link?.focus();
        next?.scrollIntoView({ block: 'nearest' });
        return link !== undefined && link !== null;
      }
      const id = rows[at]?.dataset.row;
      if (id) latest.current(id, key);
      return id !== undefined;
    };
    pressed = press;
    return () => {
      if (pressed === press) pressed = null;
    };
  }, [list]);
}
