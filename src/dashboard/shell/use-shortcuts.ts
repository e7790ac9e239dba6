'use client';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import { handleRowShortcut } from '../list/row-keys';
import { paths } from '../paths';
import { getShortcutForKey, NO_SHORTCUT } from './shortcuts';

/** The time in which the letter after `g` must follow, in milliseconds. */
const WAIT_MS = 1_500;
const OFF_KEY = 'threshold:single-keys-off';

/**
 * Returns whether shortcuts are ignored: while the user types in a field, and while a dialog, menu
 * or list is open.
 */
function isBusy(target: EventTarget | null): boolean {
  if (target instanceof HTMLElement) {
    // A checkbox is not a field for typing.
    const fields = 'input:not([type="checkbox"]), textarea, select, [role="textbox"], [role="combobox"]';
    if (target.isContentEditable || target.closest(fields)) return true;
  }
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null;
}

/** Focuses the page's search field. Returns false when the page has none. */
function focusSearch(): boolean {
  const field = [...document.querySelectorAll<HTMLInputElement>('main input[type="search"]')].find(
    (input) => input.offsetParent !== null,
  );
  field?.focus();
  field?.select();
  return field !== undefined;
}

/**
 * Handles keyboard shortcuts. Ctrl-K always works. Users can switch off single-key shortcuts, for
 * example because they use speech input (WCAG 2.1.4).
 */
export function useShortcuts(actions: { onPalette: () => void; onHelp: () => void }) {
  const router = useRouter();
  const [on, setOn] = useState(true);
  const latest = useRef(actions);
  latest.current = actions;

  useEffect(() => {
    try {
      setOn(window.localStorage.getItem(OFF_KEY) !== '1');
    } catch {
      // When browser storage is unavailable, the shortcuts are on.
    }
  }, []);

  useEffect(() => {
    let waiting_until = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        return latest.current.onPalette();
      }
      if (!on || event.defaultPrevented || event.repeat || event.key === 'Shift') return;
      const waiting = Date.now() < waiting_until;
      waiting_until = 0;
      const shortcut = isBusy(event.target) ? NO_SHORTCUT : getShortcutForKey(event, waiting);
      if (shortcut.kind === 'none') return;
      if (shortcut.kind === 'wait') {
        waiting_until = Date.now() + WAIT_MS;
        return;
      }
      if (shortcut.kind === 'row' && !handleRowShortcut(shortcut.key)) return;
      event.preventDefault();
      if (shortcut.kind === 'row') return;
      if (shortcut.kind === 'go') router.push(shortcut.href);
      else if (shortcut.kind === 'new') router.push(paths.new_reservation);
      else if (shortcut.kind === 'help') latest.current.onHelp();
      else if (!focusSearch()) latest.current.onPalette();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [on, router]);

  const switch_to = (next: boolean) => {
    setOn(next);
    try {
      if (next) window.localStorage.removeItem(OFF_KEY);
      else window.localStorage.setItem(OFF_KEY, '1');
    } catch {
      // When browser storage is unavailable, the choice to switch shortcuts on or off lasts until
      // the next page load.
    }
  };
  return { on, switch_to };
}
