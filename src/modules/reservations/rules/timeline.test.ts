import { expect, it } from 'vitest';
import { parseTrailActorLabel } from './timeline';

const NAMES = new Map([
  ['user_1', 'Olga'],
  ['key_1', 'Production'],
]);

it.each([
  ['user user_1', { kind: 'member', name: 'Olga' }],
  ['user user_2', { kind: 'former_member', name: null }],
  ['api_key key_1', { kind: 'api_key', name: 'Production' }],
  ['api_key key_2', { kind: 'api_key', name: null }],
  ['system calendar-sync', { kind: 'calendar', name: null }],
  ['system forwarded-mail', { kind: 'forwarded_mail', name: null }],
  ['system auto-send', { kind: 'system', name: null }],
  ['guest', { kind: 'guest', name: null }],
  [null, null],
])('the actor label %s is resolved to %j', (label, actor) => {
  expect(parseTrailActorLabel(label, NAMES)).toEqual(actor);
});
