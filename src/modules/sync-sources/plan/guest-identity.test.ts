import { describe, expect, it } from 'vitest';
import {
  getReservationCodeFromExternalId,
  hasConflictingGuestNames,
  hasReservationCodeOtherThan,
  hasSharedGuestNameWord,
  isPlaceholderGuestName,
} from './guest-identity';

it.each([
  [null, true],
  ['Guest', true],
  ['Guest HMABC12345', true],
  ['Guest HA-12', true],
  ['Guest AB12', false],
  ['Guest Smith', false],
  ['Guest HMABC12345 and Jo', false],
  ['Mr Guest', false],
  ['Guesthouse', false],
])('%j is a placeholder name: %j', (name, placeholder) => {
  expect(isPlaceholderGuestName(name)).toBe(placeholder);
});

describe('two names', () => {
  it.each([
    ['Jane Doe', 'Doe, J.', 'agree'],
    ['José Núñez', 'NUNEZ', 'agree'],
    ['Jane Doe', 'Kim Lee', 'conflict'],
    ['Anna', 'Anna-Lena Berg', 'agree'],
    ['Ann', 'Anna', 'conflict'],
    // Initials count only when a name has nothing else.
    ['J. Smith', 'J. Jones', 'conflict'],
    ['J. D.', 'D. J.', 'agree'],
    ['A. B.', 'C. D.', 'conflict'],
    [null, 'Jane Doe', 'neither'],
    ['Guest', 'Jane Doe', 'neither'],
    ['Guest HMABC12345', 'Guest', 'neither'],
    ['007', 'Jane Doe', 'neither'],
  ])('%j and %j: %s', (a, b, expected) => {
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      expect(hasSharedGuestNameWord(one, other)).toBe(expected === 'agree');
      expect(hasConflictingGuestNames(one, other)).toBe(expected === 'conflict');
    }
  });
});

describe('a reservation’s code', () => {
  it.each([
    ['HMABC12345', 'uid-1', 'HMABC12345'],
    ['HMABC12345', null, 'HMABC12345'],
    ['uid-1', 'uid-1', null],
    ['2026-06-01/2026-06-05', null, null],
    [null, 'uid-1', null],
    [null, null, null],
  ])('with external id %j and UID %j is %j', (external_id, external_uid, code) => {
    expect(getReservationCodeFromExternalId({ external_id, external_uid })).toBe(code);
  });

  it.each([
    ['HM1', 'HM2', true],
    ['HM1', 'HM1', false],
    ['HM1', null, false],
    ['uid-1', 'HM2', false],
  ])('of external id %j conflicts with %j: %j', (external_id, code, conflict) => {
    expect(hasReservationCodeOtherThan({ external_id, external_uid: 'uid-1' }, code)).toBe(conflict);
  });
});
