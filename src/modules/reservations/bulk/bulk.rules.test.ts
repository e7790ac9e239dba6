import { describe, expect, it } from 'vitest';
import { RESERVATION_STATUSES } from '../schemas';
import { buildReservationFactsForRules, buildReservationRuleContext, NOW } from '../testing/rules-fixtures';
import { decideBulkAction, decideBulkActionIfPreviewMatches } from './bulk.rules';
import { BULK_ACTIONS } from './bulk-limits.rules';

const word = (decision: ReturnType<typeof decideBulkAction>) =>
  decision.kind === 'refused' ? decision.code : decision.kind === 'unchanged' ? '=' : decision.events[0]?.type;

describe('a bulk action', () => {
  const sent = 'reservation.sent';
  const cancelled = 'reservation.cancelled';
  const over = 'reservation_cancelled';
  const signed = 'reservation_already_signed';
  // biome-ignore format: a table.
  const table = {
    //        draft      synced     sent       opened     clicked    signed  expired                ignored
    send:   [sent,      sent,      '=',       '=',       '=',       '=',    'reservation_expired', over],
    resend: [sent,      sent,      sent,      sent,      sent,      signed, sent,                  over],
    cancel: [cancelled, cancelled, cancelled, cancelled, cancelled, signed, 'reservation_expired', '='],
  };
  const cases = BULK_ACTIONS.flatMap((action) =>
    RESERVATION_STATUSES.map((status, index) => [action, status, table[action][index]] as const),
  );
  it.each(cases)('%s on a reservation that is %s: %s', (action, status, outcome) => {
    expect(
      word(decideBulkAction(action, buildReservationFactsForRules(status), buildReservationRuleContext(), NOW)),
    ).toBe(outcome);
  });
});

describe('a bulk action on what the host saw', () => {
  const facts = buildReservationFactsForRules('clicked');
  const seen = { to: facts.guest_email, sent_at: facts.sent_at?.toISOString() ?? null };
  const later = { ...facts, sent_at: NOW };
  const moved = { ...facts, guest_email: 'other@example.com' };
  const draft = buildReservationFactsForRules('draft');
  it.each([
    ['resend', seen, facts, 'reservation.sent'],
    ['resend', seen, later, '='],
    ['resend', seen, moved, 'concurrent_edit'],
    ['resend', { ...seen, sent_at: null }, draft, 'reservation.sent'],
    ['resend', { ...seen, sent_at: null }, facts, '='],
    ['send', { ...seen, sent_at: null }, { ...draft, guest_email: 'other@example.com' }, 'concurrent_edit'],
    ['send', { ...seen, sent_at: null }, facts, '='],
    ['cancel', seen, moved, 'reservation.cancelled'],
  ] as const)('%s after seeing %j results in $3', (action, as_seen, is, outcome) => {
    expect(word(decideBulkActionIfPreviewMatches(action, as_seen, is, buildReservationRuleContext(), NOW))).toBe(
      outcome,
    );
  });
});
