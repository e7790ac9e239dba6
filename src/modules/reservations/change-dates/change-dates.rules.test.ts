import { describe, expect, it } from 'vitest';
import { RESERVATION_STATUSES } from '../schemas';
import { buildReservationFactsForRules, buildReservationRuleContext, NOW } from '../testing/rules-fixtures';
import { decideChangeToNewStayDates, decideDateChange } from './change-dates.rules';

const word = (decision: ReturnType<typeof decideDateChange>) =>
  decision.kind === 'change' ? `${decision.changes.status}` : decision.kind === 'refused' ? decision.code : '=';

describe('changing the dates of a sent reservation', () => {
  const expected = {
    draft: 'reservation_not_sent',
    synced: 'reservation_not_sent',
    sent: 'ignored',
    opened: 'ignored',
    clicked: 'ignored',
    signed: 'reservation_already_signed',
    expired: 'reservation_expired',
    ignored: 'reservation_cancelled',
  };
  it.each(RESERVATION_STATUSES)('is allowed only for sent, opened and clicked reservations: %s', (status) => {
    expect(word(decideDateChange(buildReservationFactsForRules(status), buildReservationRuleContext(), NOW))).toBe(
      expected[status],
    );
  });

  it.each([
    [{ legal_hold: true }, {}, 'legal_hold'],
    [{ sync_source_id: 'ss_1' }, {}, 'reservation_not_editable'],
    [{ guest_email: null }, {}, 'guest_email_missing'],
    [{}, { has_active_packet: false }, 'reservation_not_sendable'],
  ])('with %j and %j is refused with %s', (facts, surroundings, code) => {
    expect(
      word(
        decideDateChange(
          buildReservationFactsForRules('clicked', facts),
          buildReservationRuleContext(surroundings),
          NOW,
        ),
      ),
    ).toBe(code);
  });

  it('is refused for the reservation’s state before the dates are validated', () => {
    const backwards = { checkin_date: '2026-07-15', checkout_date: '2026-07-15' };
    for (const status of ['signed', 'expired'] as const) {
      const other = buildReservationFactsForRules(status, { sync_source_id: 'ss_1', guest_email: null });
      expect(
        word(
          decideChangeToNewStayDates(backwards, other, buildReservationRuleContext({ has_active_packet: false }), NOW),
        ),
      ).toBe(expected[status]);
    }
  });

  it.each([
    ['2026-06-15', '2026-06-18', 'invalid_field'],
    ['2026-06-15', '2026-06-19', 'ignored'],
    ['2026-06-14', '2026-06-18', 'ignored'],
    ['2026-07-15', '2026-07-15', 'invalid_date_range'],
    ['2026-07-15', '2026-07-18', 'ignored'],
  ])('to %s until %s results in %s', (checkin_date, checkout_date, outcome) => {
    const dates = { checkin_date, checkout_date };
    expect(
      word(
        decideChangeToNewStayDates(dates, buildReservationFactsForRules('sent'), buildReservationRuleContext(), NOW),
      ),
    ).toBe(outcome);
  });
});
