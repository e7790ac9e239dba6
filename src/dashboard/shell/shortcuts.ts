/**
 * Maps keys to the actions of single-key shortcuts. A shortcut may have two keys, of which the
 * first is `g`. Pure.
 */
import type en from '../i18n/messages/en.json';
import type { RowShortcutAction } from '../list/row-keys';
import { TEAM_NAV_GROUPS } from './nav';

export type Shortcut =
  | { kind: 'go'; href: string }
  | { kind: 'new' }
  | { kind: 'search' }
  | { kind: 'help' }
  /** An action on the focused row of a list. */
  | { kind: 'row'; key: RowShortcutAction }
  /** The user pressed `g`. The next letter chooses the page. */
  | { kind: 'wait' }
  | { kind: 'none' };

interface Key {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

const PAGES = new Map(TEAM_NAV_GROUPS.flatMap((group) => group.items).map((item) => [item.shortcut, item.href]));

const ROW_KEYS = new Map<string, RowShortcutAction>([
  ['j', 'next'],
  ['k', 'previous'],
  ['x', 'select'],
  ['s', 'send'],
  ['r', 'resend'],
]);

export const NO_SHORTCUT: Shortcut = { kind: 'none' };

/** Returns the action of a key. `waiting` is true when the previous key was `g`. */
export function getShortcutForKey({ key, ctrlKey, metaKey, altKey }: Key, waiting: boolean): Shortcut {
  if (ctrlKey || metaKey || altKey) return NO_SHORTCUT;
  const letter = key.toLowerCase();
  if (waiting) {
    const href = PAGES.get(letter);
    return href ? { kind: 'go', href } : NO_SHORTCUT;
  }
  if (letter === 'g') return { kind: 'wait' };
  if (letter === 'n') return { kind: 'new' };
  const row = ROW_KEYS.get(letter);
  if (row) return { kind: 'row', key: row };
  if (key === '/') return { kind: 'search' };
  return key === '?' ? { kind: 'help' } : NO_SHORTCUT;
}

/** Every shortcut with its explanation, for the list of shortcuts. */
export const SHORTCUTS: { keys: string[]; label: Extract<keyof (typeof en)['shell'], `${'key' | 'nav'}_${string}`> }[] =
  [
    { keys: ['Ctrl', 'K'], label: 'key_search_everything_go_to' },
    { keys: ['/'], label: 'key_search_on_this_page' },
    { keys: ['n'], label: 'key_new_reservation' },
    { keys: ['?'], label: 'key_this_list' },
    { keys: ['j'], label: 'key_next_reservation_of_a' },
    { keys: ['k'], label: 'key_the_one_before' },
    { keys: ['Enter'], label: 'key_open_it' },
    { keys: ['x'], label: 'key_select_it' },
    { keys: ['s'], label: 'key_send_it' },
    { keys: ['r'], label: 'key_send_it_again' },
    ...TEAM_NAV_GROUPS.flatMap((group) => group.items).map(({ shortcut, label }) => ({
      keys: ['g', shortcut ?? ''],
      label,
    })),
  ];
