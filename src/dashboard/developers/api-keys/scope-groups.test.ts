import { expect, it } from 'vitest';
import { API_KEY_SCOPE_DESCRIPTIONS, API_KEY_SCOPE_NAMES } from '@/modules/api-keys/scopes';
import { createEnglishTranslator } from '../../i18n/english-words';
import {
  API_KEY_SCOPE_GROUPS,
  getApiKeyScopeMessageKey,
  isScopeIncludedByOtherScope,
  parseIpRanges,
  removeScopesIncludedInOthers,
} from './scope-groups';

it('every scope is in exactly one group, under its resource', () => {
  expect(API_KEY_SCOPE_GROUPS.flatMap((group) => group.scopes.map((scope) => scope.name))).toEqual(API_KEY_SCOPE_NAMES);
  for (const group of API_KEY_SCOPE_GROUPS) {
    for (const scope of group.scopes) expect(scope.name).toBe(`${group.resource}:${scope.verb}`);
  }
});

it('every scope has the same description in the dashboard and in the documentation', () => {
  const t = createEnglishTranslator('api_keys');
  for (const name of API_KEY_SCOPE_NAMES)
    expect(t(`scope_${getApiKeyScopeMessageKey(name)}`), name).toBe(API_KEY_SCOPE_DESCRIPTIONS[name]);
  for (const { resource } of API_KEY_SCOPE_GROUPS) expect(t.has(`scopes_of_${resource}`), resource).toBe(true);
});

it('a scope that includes reading is recognised, and no other', () => {
  expect(isScopeIncludedByOtherScope(['reservations:send'], 'reservations:read')).toBe(true);
  expect(isScopeIncludedByOtherScope(['reservations:read'], 'reservations:read')).toBe(false);
  expect(isScopeIncludedByOtherScope(['properties:write'], 'packets:read')).toBe(false);
  expect(isScopeIncludedByOtherScope(['reservations:send'], 'reservations:write')).toBe(false);
});

it('included scopes are left out of the request', () => {
  expect(removeScopesIncludedInOthers(['reservations:send', 'certificates:read', 'reservations:read'])).toEqual([
    'reservations:send',
    'certificates:read',
  ]);
  expect(removeScopesIncludedInOthers(['not:known'])).toEqual([]);
});

it.each([
  ['', []],
  [' \n ', []],
  ['10.0.0.0/8', ['10.0.0.0/8']],
  ['10.0.0.0/8, 192.0.2.1\n2001:db8::/32;192.0.2.1', ['10.0.0.0/8', '192.0.2.1', '2001:db8::/32']],
])('the address ranges %j are read as %j', (text, ranges) => expect(parseIpRanges(text)).toEqual(ranges));
