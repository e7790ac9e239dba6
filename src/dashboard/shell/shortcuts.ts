/** The single keys of the dashboard. Pure: what is pressed and what came before, to what happens. */
import type { RowKey } from '../list/row-keys';
import { NAV } from './nav';

export type Shortcut =
  | { kind: 'go'; href: string }
  | { kind: 'new' }
  | { kind: 'search' }
  | { kind: 'help' }
  /** Something with the row of a list that has the focus. */
  | { kind: 'row'; key: RowKey }
  /** g was pressed: the next letter says where to. */
  | { kind: 'wait' }
  | { kind: 'none' };

interface Key {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const PAGES = new Map(NAV.flatMap((group) => group.items).map((item) => [item.shortcut, item.href]));

const ROW_KEYS = new Map<string, RowKey>([
  ['j', 'next'],
  ['k', 'previous'],
  ['x', 'select'],
  ['s', 'send'],
  ['r', 'resend'],
]);

export const none: Shortcut = { kind: 'none' };

/** `waiting`: whether g was the key before. */
export function readShortcut({ key, ctrlKey, metaKey, altKey }: Key, waiting: boolean): Shortcut {
  if (ctrlKey || metaKey || altKey) return none;
  const letter = key.toLowerCase();
  if (waiting) {
    const href = PAGES.get(letter);
    return href ? { kind: 'go', href } : none;
  }
  if (letter === 'g') return { kind: 'wait' };
  if (letter === 'n') return { kind: 'new' };
  const row = ROW_KEYS.get(letter);
  if (row) return { kind: 'row', key: row };
  if (key === '/') return { kind: 'search' };
  return key === '?' ? { kind: 'help' } : none;
}

/** Every shortcut with what it does, for the list of them. */
export const SHORTCUTS: { keys: string[]; label: string }[] = [
  { keys: ['Ctrl', 'K'], label: 'Search everything, go to a page or do something' },
  { keys: ['/'], label: 'Search on this page' },
  { keys: ['n'], label: 'New reservation' },
  { keys: ['?'], label: 'This list' },
  { keys: ['j'], label: 'Next reservation of a list' },
  { keys: ['k'], label: 'The one before' },
  { keys: ['Enter'], label: 'Open it' },
  { keys: ['x'], label: 'Select it' },
  { keys: ['s'], label: 'Send it' },
  { keys: ['r'], label: 'Send it again' },
  ...NAV.flatMap((group) => group.items).map(({ shortcut, label }) => ({ keys: ['g', shortcut ?? ''], label })),
];
