import { describe, expect, it } from 'vitest';
import { TEAM_NAV_GROUPS } from './nav';
import { getShortcutForKey, SHORTCUTS } from './shortcuts';

const press = (key: string, waiting = false, held: object = {}) =>
  getShortcutForKey({ key, ctrlKey: false, metaKey: false, altKey: false, ...held }, waiting);

describe('a key', () => {
  it.each([
    ['g', false, { kind: 'wait' }],
    ['r', true, { kind: 'go', href: '/reservations' }],
    ['R', true, { kind: 'go', href: '/reservations' }],
    ['h', true, { kind: 'go', href: '/' }],
    ['r', false, { kind: 'row', key: 'resend' }],
    ['j', false, { kind: 'row', key: 'next' }],
    ['k', false, { kind: 'row', key: 'previous' }],
    ['k', true, { kind: 'go', href: '/developers/api-keys' }],
    ['s', false, { kind: 'row', key: 'send' }],
    ['x', false, { kind: 'row', key: 'select' }],
    ['x', true, { kind: 'none' }],
    ['n', true, { kind: 'none' }],
    ['n', false, { kind: 'new' }],
    ['/', false, { kind: 'search' }],
    ['?', false, { kind: 'help' }],
    ['Enter', false, { kind: 'none' }],
  ])('%s, with g pressed before: %s, is %j', (key, waiting, shortcut) => {
    expect(press(key, waiting)).toEqual(shortcut);
  });

  it.each(['ctrlKey', 'metaKey', 'altKey'])('with %s held is left to the browser', (modifier) => {
    expect(press('n', false, { [modifier]: true })).toEqual({ kind: 'none' });
  });
});

it('every active key is listed', () => {
  const keys = 'abcdefghijklmnopqrstuvwxyz/?'.split('').filter((key) => press(key).kind !== 'none');
  const listed = SHORTCUTS.map(({ keys: [first] }) => first);
  expect(keys.filter((key) => !listed.includes(key))).toEqual([]);
});

it('every section has its own letter, and all are listed', () => {
  const letters = TEAM_NAV_GROUPS.flatMap((group) => group.items).map((item) => item.shortcut);
  expect(letters.every(Boolean)).toBe(true);
  expect(new Set(letters).size).toBe(letters.length);
  expect(SHORTCUTS.filter(({ keys }) => keys[0] === 'g')).toHaveLength(letters.length);
});
