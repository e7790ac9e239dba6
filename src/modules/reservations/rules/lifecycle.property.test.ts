/**
 * Tests random sequences of operations on a reservation. The rules of design "Reservation status"
 * must hold in any order.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '@/shared/zoned-time';
import {
  buildReservationFactsForRules,
  buildReservationRuleContext,
  PACKET_RELEASING_DETAILS_AFTER_SIGNING,
  PACKET_RELEASING_DETAILS_BEFORE_SIGNING,
  PACKET_WITHOUT_ARRIVAL_DETAILS,
} from '../testing/rules-fixtures';
import { getAllowedHostActions } from './allowed-actions';
import { deriveArrivalReleaseState } from './arrival-release';
import * as lifecycle from './lifecycle';
import type {
  ReservationFactsForRules,
  ReservationRuleContext,
  ReservationStatus,
  ReservationTransitionDecision,
} from './transitions';

type Step = (
  facts: ReservationFactsForRules,
  surroundings: ReservationRuleContext,
  now: Date,
) => ReservationTransitionDecision;

const STEPS: Record<string, Step> = {
  send: lifecycle.send,
  resend: lifecycle.resend,
  opened: (facts, _, now) => lifecycle.decideChangeOnMailOpened(facts, now),
  view: lifecycle.decideChangeOnGuestPageViewed,
  sign: (facts, surroundings, now) => lifecycle.sign(facts, surroundings, { signature_id: 'sig_12345678' }, now),
  sign_manually: lifecycle.markAsSignedWithoutCertificate,
  expire: lifecycle.expire,
  cancel: (facts, surroundings, now) => lifecycle.cancel(facts, surroundings, 'api', now),
  feed_removed: (facts, surroundings, now) => lifecycle.cancel(facts, surroundings, 'feed_removed', now),
  ignore: (facts) => lifecycle.ignore(facts),
  restore: (facts) => lifecycle.restore(facts),
  come_back: (facts) => lifecycle.restoreReservationBackInCalendar(facts),
  override: (facts, surroundings, now) =>
    lifecycle.overrideArrivalRelease(facts, surroundings, { by: 'Grace', reason: 'Late', groups: ['wifi'] }, now),
  override_rest: (facts, surroundings, now) =>
    lifecycle.overrideArrivalRelease(facts, surroundings, { by: 'Alan', reason: 'Rest' }, now),
  move_dates: (facts, _, now) =>
    lifecycle.decideReservationDateChangeFromCalendar(
      facts,
      { checkin_date: addDays(facts.checkin_date, 3), checkout_date: addDays(facts.checkout_date, 3) },
      now,
    ),
  update: (facts) => lifecycle.decideReservationFieldUpdate(facts, { guest_email: 'new@example.com' }),
};

/**
 * Final operations are rare and others common, so that sequences are long and reach every state.
 */
const WALK = Object.keys(STEPS).flatMap((verb) =>
  ['sign', 'sign_manually', 'cancel', 'feed_removed'].includes(verb) ? [verb] : [verb, verb, verb],
);

/** The status transitions in the design's table, as `from>to`. */
const ARROWS = new Set([
  'draft>sent',
  'synced>sent',
  'expired>sent',
  'sent>opened',
  'sent>clicked',
  'opened>clicked',
  ...['draft', 'synced', 'sent', 'opened', 'clicked', 'expired'].map((from) => `${from}>signed`),
  ...['synced', 'sent', 'opened', 'clicked'].map((from) => `${from}>expired`),
  ...['draft', 'synced', 'sent', 'opened', 'clicked'].map((from) => `${from}>ignored`),
  'ignored>draft',
  'ignored>synced',
  ...['sent', 'opened', 'clicked'].map((to) => `ignored>${to}`),
]);

const ARRIVAL_EVENTS = ['held', 'released', 'viewed', 'override_released'].map(
  (name) => `reservation.arrival_details_${name}`,
);
const SIGNED_FOR_GOOD = [
  'sent_at',
  'clicked_at',
  'signed_at',
  'signature_id',
  'manual_override',
  'checkin_date',
] as const;

const life = fc.record({
  initial: fc.constantFrom('draft' as const, 'synced' as const),
  guest_email: fc.constantFrom('ada@example.com', 'ada@example.com', null),
  packet: fc.constantFrom(
    PACKET_RELEASING_DETAILS_AFTER_SIGNING,
    PACKET_RELEASING_DETAILS_AFTER_SIGNING,
    PACKET_RELEASING_DETAILS_BEFORE_SIGNING,
    PACKET_WITHOUT_ARRIVAL_DETAILS,
    null,
  ),
  timezone: fc.constantFrom('Europe/Berlin', 'America/Los_Angeles', 'Pacific/Kiritimati', null),
  steps: fc.array(fc.record({ verb: fc.constantFrom(...WALK), hours: fc.integer({ min: 0, max: 12 }) }), {
    minLength: 10,
    maxLength: 50,
  }),
});

test('random sequences of verbs violate no invariant', () => {
  const reached = new Set<ReservationStatus>();
  fc.assert(
    fc.property(life, ({ initial, guest_email, packet, timezone, steps }) => {
      const surroundings = buildReservationRuleContext({ timezone, packet, has_active_packet: packet !== null });
      let facts = buildReservationFactsForRules(initial, {
        guest_email,
        checkin_date: '2026-06-02',
        checkout_date: '2026-06-03',
      });
      let now = new Date('2026-06-01T00:00:00Z');
      const told: string[] = [];
      for (const { verb, hours } of steps) {
        now = new Date(now.getTime() + hours * 3_600_000);
        const step = STEPS[verb]!;
        const before = structuredClone(facts);
        const decision = step(facts, surroundings, now);
        expect(facts, 'a rule does not change its argument').toEqual(before);
        expect(step(facts, surroundings, now), 'the same question has the same answer').toEqual(decision);
        if (decision.kind !== 'change') continue;

        facts = lifecycle.applyTransitionDecision(facts, decision);
        reached.add(facts.status);
        told.push(...decision.events.map((event) => event.type));
        if (facts.status !== before.status) expect(ARROWS).toContain(`${before.status}>${facts.status}`);

        // A timestamp is set to the current time or cleared, so it never goes back in time.
        for (const value of Object.values(decision.changes)) {
          if (value instanceof Date) expect(value).toEqual(now);
        }
        // A signature is never changed.
        if (before.status === 'signed') {
          for (const column of SIGNED_FOR_GOOD) expect(facts[column]).toEqual(before[column]);
        }
        // Arrival timestamps are never removed.
        for (const column of [
          'arrival_details_held_at',
          'arrival_details_released_at',
          'arrival_details_viewed_at',
          'arrival_release_override_at',
        ] as const) {
          if (before[column]) expect(facts[column]).toEqual(before[column]);
        }
        expect(decision.mints_token).toBe(decision.events.some((event) => event.type === 'reservation.sent'));
      }
      for (const type of ARRIVAL_EVENTS) expect(told.filter((one) => one === type).length).toBeLessThanOrEqual(1);
      expect(told.filter((one) => one === 'reservation.signed').length).toBeLessThanOrEqual(1);
      if (facts.arrival_details_viewed_at) expect(facts.arrival_details_released_at).not.toBeNull();

      const state = deriveArrivalReleaseState({ ...facts, packet });
      if (state === 'viewed' || state === 'released') expect(facts.signed_at).not.toBeNull();
      if (facts.status === 'signed') expect(facts.signed_at).not.toBeNull();
      else expect(facts.signed_at).toBeNull();
      if (facts.status === 'draft' || facts.status === 'synced') expect(facts.sent_at).toBeNull();
      if (guest_email === null && !told.includes('reservation.signed') && facts.guest_email === null) {
        expect(told).not.toContain('reservation.sent');
      }
      // The actions that the dashboard offers agree with the rules.
      const offered = getAllowedHostActions(facts, surroundings, now);
      expect(offered.send.allowed).toBe(lifecycle.send(facts, surroundings, now).kind === 'change');
    }),
    { numRuns: 1_000 },
  );
  // The random sequences must reach every state, or they would prove little.
  expect(reached.size).toBe(8);
});
