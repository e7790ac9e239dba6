'use client';
/**
 * Single-key shortcuts for a list's rows: j and k move between rows, and other keys act on the
 * focused row.
 */
import { type RefObject, useEffect, useRef } from 'react';

export type RowShortcutAction = 'next' | 'previous' | 'select' | 'send' | 'resend';
type Act = (id: string, key: Exclude<RowShortcutAction, 'next' | 'previous'>) => void;

/** The shortcut handler of the list on this page. */
let pressed: ((key: RowShortcutAction) => boolean) | null = null;

/** Passes a key to the page's list. Returns whether the list handled it. */
export const handleRowShortcut = (key: RowShortcutAction): boolean => pressed?.(key) ?? false;

/**
 * Adds the shortcuts to a list. The rows are elements with the attribute `data-row`, which contains
 * the row's id. A row has the focus when its first link has the focus.
 */
export function useRowShortcuts(list: RefObject<HTMLElement | null>, act: Act): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const press = (key: RowShortcutAction): boolean => {
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])].filter(
        // Each row is rendered twice, for phones and for desktops. Only one is visible.
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
