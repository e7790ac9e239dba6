import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ARRIVAL_RELEASE_STATES } from '../schemas';
import {
  buildReservationFactsForRules,
  NOW,
  PACKET_RELEASING_DETAILS_AFTER_SIGNING,
  PACKET_RELEASING_DETAILS_BEFORE_SIGNING,
  PACKET_WITHOUT_ARRIVAL_DETAILS,
  parseTimestamp,
} from '../testing/rules-fixtures';
import {
  type ArrivalReleaseChange,
  type ArrivalReleaseDecision,
  type ArrivalReleaseFactsForRules,
  type ArrivalReleaseState,
  deriveArrivalReleaseState,
  getArrivalReleaseStateLabel,
  getVisibleArrivalDetails,
  holdArrivalDetailsAfterFirstView,
  listNextArrivalReleaseStates,
  listPopulatedArrivalDetailGroups,
  markArrivalDetailsViewed,
  releaseArrivalDetailsAfterSigning,
  releaseArrivalDetailsEarly,
  serializeReservationArrivalRelease,
  splitArrivalDetailGroupsByRelease,
} from './arrival-release';
import type { ReservationFactsForRules, ReservationStatus } from './transitions';

const facts = (
  status: ReservationStatus,
  different: Partial<ReservationFactsForRules> & Pick<Partial<ArrivalReleaseFactsForRules>, 'packet'> = {},
): ArrivalReleaseFactsForRules => {
  const { packet = PACKET_RELEASING_DETAILS_AFTER_SIGNING, ...row } = different;
  return { ...buildReservationFactsForRules(status, row), packet };
};
const T = parseTimestamp('2026-05-25T10:00:00Z');
const overridden = {
  arrival_release_override_at: T,
  arrival_release_override_by: 'Grace',
  arrival_release_override_reason: 'Late flight',
  arrival_override_groups: ['wifi', 'door_code', 'checkin_notes', 'parking_notes'],
};
const BY = { by: 'Grace', reason: 'Late flight' };

/** An example of each state. */
const IN_STATE: Record<ArrivalReleaseState, ArrivalReleaseFactsForRules> = {
  not_started: facts('draft'),
  not_configured: facts('sent', { packet: PACKET_WITHOUT_ARRIVAL_DETAILS }),
  not_held: facts('sent', { packet: PACKET_RELEASING_DETAILS_BEFORE_SIGNING }),
  ready_to_hold: facts('sent'),
  held: facts('clicked', { arrival_details_held_at: T }),
  released: facts('signed', { arrival_details_held_at: T, arrival_details_released_at: T }),
  viewed: facts('signed', { arrival_details_released_at: T, arrival_details_viewed_at: T }),
  override_released: facts('clicked', { arrival_details_held_at: T, ...overridden }),
};

function change(decision: ArrivalReleaseDecision): ArrivalReleaseChange {
  if (decision.kind !== 'change') throw new Error(`expected a change, got ${JSON.stringify(decision)}`);
  return decision;
}
const outcomeOf = (
  before: ArrivalReleaseFactsForRules,
  decision: ArrivalReleaseDecision,
): ArrivalReleaseFactsForRules => (decision.kind === 'change' ? { ...before, ...decision.changes } : before);

describe('the derived state', () => {
  test.each(ARRIVAL_RELEASE_STATES)('can be %s', (state) => {
    expect(deriveArrivalReleaseState(IN_STATE[state])).toBe(state);
  });

  test('of a sent reservation without a packet is not_configured', () => {
    expect(deriveArrivalReleaseState(facts('sent', { packet: null }))).toBe('not_configured');
  });

  test('treats a group that only an override releases as withheld', () => {
    const packet = { arrival_details: { door_code: '1' }, arrival_release: { door_code: 'manual' as const } };
    expect(deriveArrivalReleaseState(facts('sent', { packet }))).toBe('ready_to_hold');
  });

  test('is viewed, released, override_released, held or not_started, in this order of precedence', () => {
    const all = facts('draft', {
      ...overridden,
      arrival_details_held_at: T,
      arrival_details_released_at: T,
      arrival_details_viewed_at: T,
    });
    expect(deriveArrivalReleaseState(all)).toBe('viewed');
    expect(deriveArrivalReleaseState({ ...all, arrival_details_viewed_at: null })).toBe('released');
    const unreleased = { ...all, arrival_details_viewed_at: null, arrival_details_released_at: null };
    expect(deriveArrivalReleaseState(unreleased)).toBe('override_released');
    expect(deriveArrivalReleaseState({ ...unreleased, arrival_release_override_at: null })).toBe('held');
    const untouched = { ...unreleased, arrival_release_override_at: null, arrival_details_held_at: null };
    expect(deriveArrivalReleaseState(untouched)).toBe('not_started');
  });

  test('stays held when the packet is edited later', () => {
    expect(deriveArrivalReleaseState({ ...IN_STATE.held, packet: PACKET_RELEASING_DETAILS_BEFORE_SIGNING })).toBe(
      'held',
    );
  });
});

test.each([
  ['nothing', {}, []],
  ['empty strings and an empty wifi', { wifi: { network: '', password: null }, door_code: ' ' }, []],
  ['a wifi with a network only', { wifi: { network: 'Home', password: null } }, ['wifi']],
  ['notes', { parking_notes: 'Yard', checkin_notes: 'Ring' }, ['checkin_notes', 'parking_notes']],
])('arrival details with %s have the populated groups $2', (_, details, expected) => {
  expect(listPopulatedArrivalDetailGroups(details)).toEqual(expected);
});

describe('the state of an arrival release', () => {
  test.each([
    ['not_started', []],
    ['not_configured', []],
    ['not_held', []],
    ['ready_to_hold', ['held', 'override_released']],
    ['held', ['released', 'override_released']],
    ['override_released', ['released']],
    ['released', ['viewed']],
    ['viewed', []],
  ] as const)('%s has next events %j and a label', (state, expected) => {
    expect(listNextArrivalReleaseStates(state)).toEqual(expected);
    expect(getArrivalReleaseStateLabel(state)).toMatch(/^[A-Z][a-z ]+$/);
  });
});

type Act = 'hold' | 'release' | 'view' | 'override';
const ACTS: Record<Act, (facts: ArrivalReleaseFactsForRules) => ArrivalReleaseDecision> = {
  hold: (f) => holdArrivalDetailsAfterFirstView(f, NOW),
  release: (f) => releaseArrivalDetailsAfterSigning({ ...f, status: 'signed', signed_at: NOW }, NOW),
  view: (f) => markArrivalDetailsViewed(f, NOW),
  override: (f) => releaseArrivalDetailsEarly(f, BY, NOW),
};
const EVENT: Record<Act, string> = {
  hold: 'reservation.arrival_details_held',
  release: 'reservation.arrival_details_released',
  view: 'reservation.arrival_details_viewed',
  override: 'reservation.arrival_details_override_released',
};

describe('an arrival release transition (null: unchanged)', () => {
  // For each state and action, the next state, or null when the state does not change.
  const table: Record<ArrivalReleaseState, Record<Act, ArrivalReleaseState | null>> = {
    not_started: { hold: null, release: 'released', view: null, override: 'override_released' },
    not_configured: { hold: null, release: null, view: null, override: null },
    not_held: { hold: null, release: null, view: null, override: null },
    ready_to_hold: { hold: 'held', release: 'released', view: null, override: 'override_released' },
    held: { hold: null, release: 'released', view: null, override: 'override_released' },
    override_released: { hold: null, release: 'released', view: null, override: null },
    // A manual group is still withheld after signing. The override releases it, and the state does
    // not change.
    released: { hold: null, release: null, view: 'viewed', override: 'released' },
    viewed: { hold: null, release: null, view: null, override: 'viewed' },
  };
  const cases = ARRIVAL_RELEASE_STATES.flatMap((state) =>
    (Object.keys(ACTS) as Act[]).map((act) => ({ state, act, to: table[state][act] })),
  );
  test.each(cases)('from $state by $act leads to $to', ({ state, act, to }) => {
    const before = IN_STATE[state];
    const decision = ACTS[act](before);
    if (to === null) {
      expect(decision).toEqual({ kind: 'unchanged' });
      return;
    }
    expect(deriveArrivalReleaseState(outcomeOf(before, decision))).toBe(to);
    expect(change(decision).event?.type).toBe(EVENT[act]);
    expect(change(decision).event?.arrival_release.state).toBe(to);
  });
});

test('a signed reservation is never held', () => {
  expect(holdArrivalDetailsAfterFirstView({ ...IN_STATE.ready_to_hold, signed_at: NOW }, NOW)).toEqual({
    kind: 'unchanged',
  });
});

describe('the released and withheld groups', () => {
  test.each([
    ['before signing', IN_STATE.held, ['checkin_notes'], ['wifi', 'door_code']],
    [
      'after signing, with the manual group still withheld',
      IN_STATE.released,
      ['wifi', 'checkin_notes'],
      ['door_code'],
    ],
    ['after an override of all', IN_STATE.override_released, ['wifi', 'door_code', 'checkin_notes'], []],
    ['without a packet', facts('sent', { packet: null }), [], []],
  ])('are correct %s', (_, given, released, withheld) => {
    expect(splitArrivalDetailGroupsByRelease(given)).toEqual({ released, withheld });
  });

  test('in the released event are those after signing', () => {
    const decision = change(releaseArrivalDetailsAfterSigning({ ...IN_STATE.held, signed_at: null }, NOW));
    expect(decision.event?.arrival_release).toEqual({
      state: 'released',
      released: ['wifi', 'checkin_notes'],
      withheld: ['door_code'],
    });
  });

  test('hide withheld content from the guest, but never safety notes', () => {
    const seen = getVisibleArrivalDetails(IN_STATE.held);
    expect(seen).toEqual({
      details: { wifi: null, door_code: null, checkin_notes: 'Ring twice.', parking_notes: null },
      safety_notes: 'Extinguisher under the sink.',
      released: ['checkin_notes'],
      withheld: ['wifi', 'door_code'],
    });
    expect(JSON.stringify(seen)).not.toMatch(/4711|secret/);
    expect(getVisibleArrivalDetails(IN_STATE.released).details.wifi).toEqual({ network: 'Home', password: 'secret' });
  });

  test.each(['ignored', 'expired'] as const)(
    'are empty for an %s reservation, which shows only its safety notes',
    (status) => {
      const seen = getVisibleArrivalDetails(
        facts(status, { packet: PACKET_RELEASING_DETAILS_BEFORE_SIGNING, ...overridden }),
      );
      expect(seen.safety_notes).toBe('Extinguisher under the sink.');
      expect(Object.values(seen.details)).toEqual([null, null, null, null]);
      expect(seen.released).toEqual([]);
    },
  );
});

describe('an override', () => {
  test('of some groups releases only those', () => {
    const before = IN_STATE.held;
    const decision = change(releaseArrivalDetailsEarly(before, { ...BY, groups: ['wifi'] }, NOW));
    expect(decision.changes).toEqual({
      arrival_release_override_at: NOW,
      arrival_release_override_by: 'Grace',
      arrival_release_override_reason: 'Late flight',
      arrival_override_groups: ['wifi'],
    });
    expect(decision.event).toEqual({
      type: 'reservation.arrival_details_override_released',
      arrival_release: { state: 'override_released', released: ['wifi', 'checkin_notes'], withheld: ['door_code'] },
      by: 'Grace',
      reason: 'Late flight',
    });
  });

  test('of further groups adds them without a second event or a change of the first reason', () => {
    const first = outcomeOf(IN_STATE.held, releaseArrivalDetailsEarly(IN_STATE.held, { ...BY, groups: ['wifi'] }, T));
    const second = change(
      releaseArrivalDetailsEarly(first, { by: 'Alan', reason: 'Also', groups: ['door_code'] }, NOW),
    );
    expect(second).toEqual({
      kind: 'change',
      changes: { arrival_override_groups: ['wifi', 'door_code'] },
      event: null,
    });
    expect(splitArrivalDetailGroupsByRelease(outcomeOf(first, second)).withheld).toEqual([]);
  });

  test('that names no withheld group changes nothing', () => {
    expect(
      releaseArrivalDetailsEarly(IN_STATE.held, { ...BY, groups: ['checkin_notes', 'parking_notes'] }, NOW),
    ).toEqual({
      kind: 'unchanged',
    });
  });

  test.each([
    ['no reason', IN_STATE.held, '  ', 'missing_required_field', 'reason'],
    ['a reason of 501 characters', IN_STATE.held, 'x'.repeat(501), 'invalid_field', 'reason'],
    ['a cancelled reservation', facts('ignored'), 'why', 'reservation_cancelled', undefined],
    ['an expired reservation', facts('expired'), 'why', 'reservation_expired', undefined],
  ])('with %s is refused', (_, given, reason, code, param) => {
    expect(releaseArrivalDetailsEarly(given, { by: 'Grace', reason }, NOW)).toEqual({
      kind: 'refused',
      code,
      ...(param && { param }),
    });
  });

  test('accepts a reason of 1 and of 500 characters', () => {
    expect(releaseArrivalDetailsEarly(IN_STATE.held, { by: 'Grace', reason: 'x' }, NOW).kind).toBe('change');
    expect(releaseArrivalDetailsEarly(IN_STATE.held, { by: 'Grace', reason: 'x'.repeat(500) }, NOW).kind).toBe(
      'change',
    );
  });
});

test('the arrival release object has every field of the specification', () => {
  expect(serializeReservationArrivalRelease(IN_STATE.override_released)).toEqual({
    state: 'override_released',
    state_label: 'Released early by host',
    held_at: T.toISOString(),
    released_at: null,
    viewed_at: null,
    override_at: T.toISOString(),
    override_by: 'Grace',
    override_reason: 'Late flight',
    next_events: ['released'],
  });
});

test('every group is either released or withheld, and withheld content is never visible', () => {
  const policy = fc.constantFrom('before_signing' as const, 'after_signing' as const, 'manual' as const);
  const groups = fc.subarray(['wifi', 'door_code', 'checkin_notes', 'parking_notes'] as const);
  const text = (mark: string) => fc.constantFrom(null, '', mark);
  const packet = fc.record({
    arrival_details: fc.record({
      wifi: fc.constantFrom(null, { network: 'wifi!', password: null }),
      door_code: text('door_code!'),
      checkin_notes: text('checkin_notes!'),
      parking_notes: text('parking_notes!'),
    }),
    arrival_release: fc.record(
      { wifi: policy, door_code: policy, checkin_notes: policy, parking_notes: policy },
      { requiredKeys: [] },
    ),
  });
  fc.assert(
    fc.property(packet, fc.boolean(), groups, (given, signed, override_groups) => {
      const row = facts(signed ? 'signed' : 'clicked', {
        packet: given,
        arrival_release_override_at: override_groups.length > 0 ? T : null,
        arrival_override_groups: override_groups,
      });
      const { released, withheld } = splitArrivalDetailGroupsByRelease(row);
      expect([...released, ...withheld].sort()).toEqual(
        [...listPopulatedArrivalDetailGroups(given.arrival_details)].sort(),
      );
      const shown = JSON.stringify(getVisibleArrivalDetails(row).details);
      for (const group of withheld) expect(shown).not.toContain(`${group}!`);
      for (const group of released) expect(shown).toContain(`${group}!`);
    }),
  );
});
