import { describe, expect, test } from 'vitest';
import { AppError } from '@/shared/errors';
import { RESERVATION_STATUSES } from '../schemas';
import {
  buildReservationFactsForRules,
  buildReservationRuleContext,
  NOW,
  PACKET_RELEASING_DETAILS_BEFORE_SIGNING,
  PACKET_WITHOUT_ARRIVAL_DETAILS,
  parseTimestamp,
  TIME_AFTER_STAY,
} from '../testing/rules-fixtures';
import {
  getAllowedHostActions,
  getSigningLinkState,
  HOST_RESERVATION_ACTIONS,
  type HostAction,
} from './allowed-actions';
import * as lifecycle from './lifecycle';
import type {
  ReservationChangeDecision,
  ReservationFactsForRules,
  ReservationStatus,
  ReservationTransitionDecision,
  ReservationTransitionName,
} from './transitions';

const signing = { signature_id: 'sig_abcdefgh' };
type Run = (facts: ReservationFactsForRules, now: Date) => ReservationTransitionDecision;
const VERBS: Record<ReservationTransitionName, Run> = {
  send: (facts, now) => lifecycle.send(facts, buildReservationRuleContext(), now),
  resend: (facts, now) => lifecycle.resend(facts, buildReservationRuleContext(), now),
  mark_opened: (facts, now) => lifecycle.decideChangeOnMailOpened(facts, now),
  view: (facts, now) => lifecycle.decideChangeOnGuestPageViewed(facts, buildReservationRuleContext(), now),
  sign: (facts, now) => lifecycle.sign(facts, buildReservationRuleContext(), signing, now),
  sign_manually: (facts, now) => lifecycle.markAsSignedWithoutCertificate(facts, buildReservationRuleContext(), now),
  expire: (facts, now) => lifecycle.expire(facts, buildReservationRuleContext(), now),
  cancel: (facts, now) => lifecycle.cancel(facts, buildReservationRuleContext(), 'api', now),
  ignore: (facts) => lifecycle.ignore(facts),
  restore: (facts) => lifecycle.restore(facts),
  update: (facts) => lifecycle.decideReservationFieldUpdate(facts, { guest_name: 'Grace Hopper' }),
  correct_guest: (facts, now) =>
    lifecycle.correctGuestDetails(facts, buildReservationRuleContext(), { guest_name: 'Grace Hopper' }, now),
  delete: (facts) => lifecycle.decideReservationDeletion(facts),
};

function change(decision: ReservationTransitionDecision): ReservationChangeDecision {
  if (decision.kind !== 'change') throw new Error(`expected a change, got ${JSON.stringify(decision)}`);
  return decision;
}
const outcome = (facts: ReservationFactsForRules, decision: ReservationTransitionDecision): string => {
  if (decision.kind === 'refused') return decision.code;
  if (decision.kind === 'unchanged') return '=';
  return decision.changes.status ?? `${facts.status}*`;
};
const eventTypes = (decision: ReservationTransitionDecision) => change(decision).events.map((event) => event.type);

describe('a lifecycle transition (= unchanged, * changed within its status)', () => {
  const N = 'reservation_not_sent';
  const E = 'reservation_not_editable';
  const D = 'reservation_not_deletable';
  const S = 'reservation_already_signed';
  const X = 'reservation_expired';
  const C = 'reservation_cancelled';
  // biome-ignore format: a table.
  const table: Record<ReservationTransitionName, string[]> = {
    //             draft      synced     sent       opened     clicked    signed  expired  ignored
    send:          ['sent',    'sent',    '=',       '=',       '=',       '=',    X,        C],
    resend:        [N,         N,         'sent*',   'opened*', 'clicked*', S,     'sent',   C],
    mark_opened:   ['=',       '=',       'opened',  '=',       '=',       '=',    '=',      '='],
    // `clicked*`: the guest views the page again after the host has withheld more details.
    view:          ['=',       '=',       'clicked', 'clicked', 'clicked*', '=',   '=',      '='],
    sign:          [N,         N,         'signed',  'signed',  'signed',  S,      X,        C],
    sign_manually: ['signed',  'signed',  'signed',  'signed',  'signed',  S,      'signed', C],
    expire:        ['=',       '=',       '=',       '=',       '=',       '=',    '=',      '='],
    cancel:        ['ignored', 'ignored', 'ignored', 'ignored', 'ignored', S,      X,        '='],
    ignore:        ['ignored', 'ignored', E,         E,         E,         S,      X,        '='],
    restore:       ['=',       '=',       '=',       '=',       '=',       S,      X,        'draft'],
    update:        ['draft*',  'synced*', E,         E,         E,         E,      E,        E],
    correct_guest: ['draft*',  'synced*', 'sent*',   'opened*', 'clicked*', S,     X,        C],
    delete:        ['draft*',  D,         D,         D,         D,         D,      D,        D],
  };
  // biome-ignore format: a table.
  const afterTheStay: Partial<Record<ReservationTransitionName, string[]>> = {
    send:          ['stay_ended', 'stay_ended', 'stay_ended', 'stay_ended', 'stay_ended', '=', X, C],
    resend:        [N, N, 'stay_ended', 'stay_ended', 'stay_ended', S, 'stay_ended', C],
    correct_guest: ['draft*', 'synced*', 'stay_ended', 'stay_ended', 'stay_ended', S, X, C],
    view:          ['=', '=', '=', '=', '=', '=', '=', '='],
    sign:          [N, N, 'stay_ended', 'stay_ended', 'stay_ended', S, X, C],
    sign_manually: ['signed', 'signed', 'signed', 'signed', 'signed', S, 'signed', C],
    expire:        ['=', 'expired', 'expired', 'expired', 'expired', '=', '=', '='],
    cancel:        ['ignored', 'ignored', 'ignored', 'ignored', 'ignored', S, X, '='],
  };
  const rows = (name: string, cells: Partial<Record<ReservationTransitionName, string[]>>, now: Date) =>
    Object.entries(cells).flatMap(([verb, results]) =>
      RESERVATION_STATUSES.map((status, i) => ({
        name,
        verb: verb as ReservationTransitionName,
        status,
        result: results[i],
        now,
      })),
    );
  test.each([...rows('before the stay', table, NOW), ...rows('after the stay', afterTheStay, TIME_AFTER_STAY)])(
    '$name: $status, $verb -> $result',
    ({ verb, status, result, now }) => {
      const facts = buildReservationFactsForRules(status);
      expect(outcome(facts, VERBS[verb](facts, now))).toBe(result);
    },
  );
});

describe('send', () => {
  test('sets sent_at, copies the property’s requirements, mints a token and emits reservation.sent', () => {
    const decision = lifecycle.send(
      buildReservationFactsForRules('draft'),
      buildReservationRuleContext({ selfie_required: true, otp_required: true }),
      NOW,
    );
    expect(decision).toEqual({
      kind: 'change',
      changes: {
        status: 'sent',
        sent_at: NOW,
        selfie_required: true,
        otp_required: true,
        dates_changed_after_send_at: null,
      },
      events: [{ type: 'reservation.sent' }],
      mints_token: true,
    });
  });

  test.each([
    ['the stay is over', { guest_email: null }, { has_active_packet: false }, TIME_AFTER_STAY, 'stay_ended'],
    ['there is no active packet', { guest_email: null }, { has_active_packet: false }, NOW, 'reservation_not_sendable'],
    ['there is no address', { guest_email: null }, {}, NOW, 'guest_email_missing'],
  ])('is refused when %s, and so is resend', (_, row, surroundings, now, code) => {
    const refused = { kind: 'refused', code };
    expect(
      lifecycle.send(buildReservationFactsForRules('synced', row), buildReservationRuleContext(surroundings), now),
    ).toEqual(refused);
    expect(
      lifecycle.resend(buildReservationFactsForRules('clicked', row), buildReservationRuleContext(surroundings), now),
    ).toEqual(refused);
  });

  test('checks in the property’s time zone whether the stay is over', () => {
    const evening = parseTimestamp('2026-06-18T22:30:00Z');
    const draft = buildReservationFactsForRules('draft');
    expect(lifecycle.send(draft, buildReservationRuleContext({ timezone: 'Europe/Berlin' }), evening)).toMatchObject({
      code: 'stay_ended',
    });
    expect(lifecycle.send(draft, buildReservationRuleContext({ timezone: 'America/New_York' }), evening).kind).toBe(
      'change',
    );
  });
});

describe('resend', () => {
  test('to a guest who already has the packet keeps the status and clicked_at', () => {
    const decision = change(
      lifecycle.resend(buildReservationFactsForRules('clicked'), buildReservationRuleContext(), NOW),
    );
    expect(decision.changes).not.toHaveProperty('status');
    expect(decision.changes).not.toHaveProperty('clicked_at');
    expect(decision.changes.sent_at).toBe(NOW);
    expect(decision.mints_token).toBe(true);
    expect(decision.events).toEqual([{ type: 'reservation.sent' }]);
  });

  test('of an expired reservation with new dates resets its status and timestamps', () => {
    const expired = buildReservationFactsForRules('expired', {
      opened_at: NOW,
      clicked_at: NOW,
      checkout_date: '2026-06-18',
    });
    expect(change(lifecycle.resend(expired, buildReservationRuleContext(), NOW)).changes).toMatchObject({
      status: 'sent',
      sent_at: NOW,
      opened_at: null,
      clicked_at: null,
      expired_at: null,
    });
  });
});

describe('the guest’s actions', () => {
  test('opening the mail emits no event', () => {
    expect(lifecycle.decideChangeOnMailOpened(buildReservationFactsForRules('sent'), NOW)).toMatchObject({
      changes: { status: 'opened', opened_at: NOW },
      events: [],
    });
  });

  test('the first view sets `clicked` and holds the arrival details in one change', () => {
    const decision = change(
      lifecycle.decideChangeOnGuestPageViewed(
        buildReservationFactsForRules('opened'),
        buildReservationRuleContext(),
        NOW,
      ),
    );
    expect(decision.changes).toEqual({ status: 'clicked', clicked_at: NOW, arrival_details_held_at: NOW });
    expect(decision.events).toEqual([
      { type: 'reservation.clicked' },
      {
        type: 'reservation.arrival_details_held',
        arrival_release: { state: 'held', released: ['checkin_notes'], withheld: ['wifi', 'door_code'] },
      },
    ]);
  });

  test.each([
    ['nothing is withheld', PACKET_RELEASING_DETAILS_BEFORE_SIGNING],
    ['nothing is configured', PACKET_WITHOUT_ARRIVAL_DETAILS],
    ['there is no packet', null],
  ])('the first view holds nothing when %s', (_, packet) => {
    const decision = change(
      lifecycle.decideChangeOnGuestPageViewed(
        buildReservationFactsForRules('sent'),
        buildReservationRuleContext({ packet }),
        NOW,
      ),
    );
    expect(decision.events).toEqual([{ type: 'reservation.clicked' }]);
  });

  test('a later view holds details that the host has restricted since, once', () => {
    const open = buildReservationFactsForRules('clicked');
    expect(
      lifecycle.decideChangeOnGuestPageViewed(
        open,
        buildReservationRuleContext({ packet: PACKET_RELEASING_DETAILS_BEFORE_SIGNING }),
        NOW,
      ),
    ).toEqual({
      kind: 'unchanged',
    });
    const decision = change(lifecycle.decideChangeOnGuestPageViewed(open, buildReservationRuleContext(), NOW));
    expect(decision.changes).toEqual({ arrival_details_held_at: NOW });
    expect(eventTypes(decision)).toEqual(['reservation.arrival_details_held']);
    expect(
      lifecycle.decideChangeOnGuestPageViewed(
        lifecycle.applyTransitionDecision(open, decision),
        buildReservationRuleContext(),
        NOW,
      ),
    ).toEqual({
      kind: 'unchanged',
    });
  });

  test('the signature releases the details that were held', () => {
    const held = buildReservationFactsForRules('clicked', {
      arrival_details_held_at: parseTimestamp('2026-05-25T10:00:00Z'),
    });
    const decision = change(lifecycle.sign(held, buildReservationRuleContext(), signing, NOW));
    expect(decision.changes).toEqual({
      status: 'signed',
      signed_at: NOW,
      signature_id: 'sig_abcdefgh',
      manual_override: false,
      arrival_details_released_at: NOW,
    });
    expect(decision.events).toEqual([
      { type: 'reservation.signed', certificate_id: 'sig_abcdefgh' },
      {
        type: 'reservation.arrival_details_released',
        arrival_release: { state: 'released', released: ['wifi', 'checkin_notes'], withheld: ['door_code'] },
      },
    ]);
  });

  test('a form posted without JavaScript records view and signature in one transaction', () => {
    const sent = buildReservationFactsForRules('sent');
    const viewed = lifecycle.decideChangeOnGuestPageViewed(sent, buildReservationRuleContext(), NOW);
    const signed = lifecycle.sign(
      lifecycle.applyTransitionDecision(sent, viewed),
      buildReservationRuleContext(),
      signing,
      NOW,
    );
    expect([...eventTypes(viewed), ...eventTypes(signed)]).toEqual([
      'reservation.clicked',
      'reservation.arrival_details_held',
      'reservation.signed',
      'reservation.arrival_details_released',
    ]);
  });

  test('returning after signing marks the released details as viewed, once', () => {
    const signed = buildReservationFactsForRules('signed', {
      arrival_details_released_at: parseTimestamp('2026-05-26T10:00:00Z'),
    });
    const decision = change(lifecycle.decideChangeOnGuestPageViewed(signed, buildReservationRuleContext(), NOW));
    expect(decision.changes).toEqual({ arrival_details_viewed_at: NOW });
    expect(eventTypes(decision)).toEqual(['reservation.arrival_details_viewed']);
    expect(
      lifecycle.decideChangeOnGuestPageViewed(
        lifecycle.applyTransitionDecision(signed, decision),
        buildReservationRuleContext(),
        NOW,
      ),
    ).toEqual({
      kind: 'unchanged',
    });
  });
});

describe('a manual signature', () => {
  test.each(['draft', 'synced', 'sent', 'expired'] as const)(
    'of a %s reservation creates no certificate and releases the details',
    (status) => {
      const decision = change(
        lifecycle.markAsSignedWithoutCertificate(
          buildReservationFactsForRules(status),
          buildReservationRuleContext(),
          NOW,
        ),
      );
      expect(decision.changes).toMatchObject({ status: 'signed', manual_override: true, signature_id: null });
      expect(decision.changes.arrival_details_released_at).toBe(NOW);
      expect(decision.events[0]).toEqual({ type: 'reservation.signed', certificate_id: null });
    },
  );

  test('releases nothing when nothing was withheld', () => {
    expect(
      eventTypes(
        lifecycle.markAsSignedWithoutCertificate(
          buildReservationFactsForRules('draft'),
          buildReservationRuleContext({ packet: PACKET_RELEASING_DETAILS_BEFORE_SIGNING }),
          NOW,
        ),
      ),
    ).toEqual(['reservation.signed']);
  });
});

describe('cancel', () => {
  test.each(['api', 'host', 'feed_removed'] as const)('by %s records the reason', (reason) => {
    expect(
      lifecycle.cancel(buildReservationFactsForRules('sent'), buildReservationRuleContext(), reason, NOW),
    ).toMatchObject({
      changes: { status: 'ignored', cancelled_at: NOW, cancel_reason: reason },
      events: [{ type: 'reservation.cancelled', reason }],
    });
  });

  test('is refused under legal hold', () => {
    const held = buildReservationFactsForRules('sent', { legal_hold: true });
    expect(lifecycle.cancel(held, buildReservationRuleContext(), 'api', NOW)).toEqual({
      kind: 'refused',
      code: 'legal_hold',
    });
    expect(lifecycle.ignore(buildReservationFactsForRules('draft', { legal_hold: true }))).toMatchObject({
      code: 'legal_hold',
    });
    expect(
      lifecycle.decideReservationDeletion(buildReservationFactsForRules('draft', { legal_hold: true })),
    ).toMatchObject({
      code: 'legal_hold',
    });
  });

  test.each([
    ['signed', buildReservationFactsForRules('signed'), NOW],
    ['expired', buildReservationFactsForRules('expired'), NOW],
    ['redacted', buildReservationFactsForRules('sent', { redacted: true }), NOW],
    ['under legal hold', buildReservationFactsForRules('sent', { legal_hold: true }), NOW],
    ['on its check-in day', buildReservationFactsForRules('sent'), parseTimestamp('2026-06-15T00:00:00Z')],
  ])('by a feed changes nothing and is no error for a reservation that is %s', (_, facts, now) => {
    expect(lifecycle.cancel(facts, buildReservationRuleContext(), 'feed_removed', now)).toEqual({ kind: 'unchanged' });
  });
});

describe('restore', () => {
  test.each(['draft', 'synced'] as const)(
    'returns a reservation to its initial status %s, unsent',
    (initial_status) => {
      const ignored = buildReservationFactsForRules('ignored', {
        initial_status,
        sent_at: NOW,
        clicked_at: NOW,
        cancelled_at: NOW,
      });
      expect(change(lifecycle.restore(ignored)).changes).toMatchObject({
        status: initial_status,
        cancelled_at: null,
        cancel_reason: null,
        sent_at: null,
        opened_at: null,
        clicked_at: null,
      });
    },
  );

  test('after an ignore yields the identical reservation', () => {
    const synced = buildReservationFactsForRules('synced');
    const ignored = lifecycle.applyTransitionDecision(synced, lifecycle.ignore(synced));
    expect(ignored.status).toBe('ignored');
    expect(lifecycle.applyTransitionDecision(ignored, lifecycle.restore(ignored))).toMatchObject(synced);
  });
});

describe('restoreReservationBackInCalendar', () => {
  const gone = { sent_at: NOW, cancelled_at: NOW } as const;
  test.each([
    ['synced', {}],
    ['sent', gone],
    ['opened', { ...gone, opened_at: NOW }],
    ['clicked', { ...gone, opened_at: NOW, clicked_at: NOW }],
  ] as const)('restores the status %s', (status, over) => {
    const back = lifecycle.restoreReservationBackInCalendar(
      buildReservationFactsForRules('ignored', { initial_status: 'synced', ...over }),
    );
    expect(change(back).changes).toMatchObject({ status, cancelled_at: null, cancel_reason: null });
    if (status !== 'synced') expect(change(back).changes).not.toHaveProperty('sent_at');
  });
});

describe('update', () => {
  test('sets only fields that differ', () => {
    const patch = { guest_name: 'Ada Lovelace', guest_email: 'ada@example.org', checkin_date: '2026-06-15' };
    expect(
      change(lifecycle.decideReservationFieldUpdate(buildReservationFactsForRules('draft'), patch)).changes,
    ).toEqual({
      guest_email: 'ada@example.org',
    });
    expect(
      lifecycle.decideReservationFieldUpdate(buildReservationFactsForRules('draft'), { guest_name: 'Ada Lovelace' }),
    ).toEqual({
      kind: 'unchanged',
    });
    expect(
      change(
        lifecycle.decideReservationFieldUpdate(buildReservationFactsForRules('draft'), { packet_id: 'pkt_12345678' }),
      ).changes,
    ).toEqual({
      packet_id: 'pkt_12345678',
    });
  });

  test('validates the dates in combination', () => {
    const refused = { kind: 'refused', code: 'invalid_date_range', param: 'checkout_date' };
    expect(
      lifecycle.decideReservationFieldUpdate(buildReservationFactsForRules('draft'), { checkin_date: '2026-06-18' }),
    ).toEqual(refused);
    expect(
      lifecycle.decideReservationFieldUpdate(buildReservationFactsForRules('draft'), { checkout_date: '2026-06-15' }),
    ).toEqual(refused);
    expect(
      lifecycle.decideReservationFieldUpdate(buildReservationFactsForRules('draft'), {
        checkin_date: '2026-07-01',
        checkout_date: '2026-07-02',
      }).kind,
    ).toBe('change');
  });
});

describe('dates moved by a calendar', () => {
  const dates = { checkin_date: '2026-06-16', checkout_date: '2026-06-20' };
  test('reset reminders and the late alert, and are flagged when the guest has the packet', () => {
    const decision = change(
      lifecycle.decideReservationDateChangeFromCalendar(buildReservationFactsForRules('opened'), dates, NOW),
    );
    expect(decision.changes).toEqual({
      ...dates,
      reminder_24h_sent_at: null,
      reminder_2h_sent_at: null,
      late_notified_at: null,
      dates_changed_after_send_at: NOW,
    });
  });

  test('do not reset reminders when only the check-out moved', () => {
    const moved = lifecycle.decideReservationDateChangeFromCalendar(
      buildReservationFactsForRules('synced'),
      { ...dates, checkin_date: '2026-06-15' },
      NOW,
    );
    expect(change(moved).changes).toEqual({ checkout_date: '2026-06-20' });
  });

  test.each([
    ['signed', buildReservationFactsForRules('signed')],
    ['redacted', buildReservationFactsForRules('sent', { redacted: true })],
    ['under legal hold', buildReservationFactsForRules('sent', { legal_hold: true })],
    ['already at these dates', buildReservationFactsForRules('sent', dates)],
  ])('change nothing when the reservation is %s', (_, facts) => {
    expect(lifecycle.decideReservationDateChangeFromCalendar(facts, dates, NOW)).toEqual({ kind: 'unchanged' });
  });
});

describe('an update of one field', () => {
  test.each([
    [{ packet_id: null }],
    [{ guest_name: 'Ada Lovelace' }],
    [{ guest_email: 'ada@example.com' }],
    [{ locale: 'de' }],
    [{ checkin_date: '2026-06-15', checkout_date: '2026-06-18' }],
  ])('to the present value %j changes nothing', (patch) => {
    const facts = buildReservationFactsForRules('draft', { guest_locale: 'de' });
    expect(lifecycle.decideReservationFieldUpdate(facts, patch)).toEqual({ kind: 'unchanged' });
  });

  test.each([
    ['draft', { packet_id: 'pkt_1' }, { packet_id: 'pkt_1' }],
    ['synced', { guest_email: 'grace@example.com' }, { guest_email: 'grace@example.com' }],
    // An update of `locale`, even to null, removes the guessed language (`guest_locale`).
    ['draft', { locale: 'fr' }, { locale: 'fr', guest_locale: null }],
    ['draft', { locale: null }, { locale: null, guest_locale: null }],
  ] as const)('of a %s reservation to %j changes %j', (status, patch, changes) => {
    expect(
      change(
        lifecycle.decideReservationFieldUpdate(buildReservationFactsForRules(status, { guest_locale: 'de' }), patch),
      ),
    ).toEqual({
      kind: 'change',
      changes,
      events: [],
      mints_token: false,
    });
  });

  test('compares the language with the explicit one, not with the guess', () => {
    const facts = buildReservationFactsForRules('draft', { locale: 'fr', guest_locale: 'de' });
    expect(lifecycle.decideReservationFieldUpdate(facts, { locale: 'fr' })).toEqual({ kind: 'unchanged' });
    expect(change(lifecycle.decideReservationFieldUpdate(facts, { locale: 'de' })).changes).toEqual({
      locale: 'de',
      guest_locale: null,
    });
  });
});

describe('an address given by the guest', () => {
  const guest = { guest_email: 'grace@example.com', guest_locale: 'de' };
  const unknown = { guest_email: null };

  test.each(['draft', 'synced'] as const)('is stored and sent to when the reservation is %s', (status) => {
    const facts = buildReservationFactsForRules(status, unknown);
    const sent = change(
      lifecycle.storeMissingGuestEmailAndSendPacket(facts, guest, buildReservationRuleContext(), NOW),
    );
    const known = change(lifecycle.send({ ...facts, ...guest }, buildReservationRuleContext(), NOW));
    expect(sent).toEqual({ ...known, changes: { ...guest, ...known.changes } });
    expect(sent.changes).toMatchObject({ ...guest, status: 'sent' });
  });

  test.each([
    ['sent', {}, NOW, 'reservation_not_editable'],
    ['ignored', {}, NOW, 'reservation_not_editable'],
    ['draft', { has_active_packet: false }, NOW, 'reservation_not_sendable'],
    ['draft', {}, TIME_AFTER_STAY, 'stay_ended'],
  ] as const)('is refused when the reservation is %s, with %j at %s: %s', (status, surroundings, now, code) => {
    const decision = lifecycle.storeMissingGuestEmailAndSendPacket(
      buildReservationFactsForRules(status, unknown),
      guest,
      buildReservationRuleContext(surroundings),
      now,
    );
    expect(decision).toEqual(expect.objectContaining({ kind: 'refused', code }));
  });
});

describe('the booking number', () => {
  test('can be changed before sending, unless a calendar or a mail identifies the booking by it', () => {
    const own = lifecycle.decideReservationFieldUpdate(buildReservationFactsForRules('draft'), { external_id: 'BK-2' });
    expect(change(own).changes).toEqual({ external_id: 'BK-2' });
    const synced = buildReservationFactsForRules('synced', { external_source: 'channel_a_ical', external_id: 'HM1' });
    expect(lifecycle.decideReservationFieldUpdate(synced, { external_id: 'HM1' })).toEqual({ kind: 'unchanged' });
    expect(lifecycle.decideReservationFieldUpdate(synced, { external_id: 'BK-2' })).toMatchObject({
      code: 'invalid_field',
      param: 'external_id',
    });
  });
});

describe('a correction of the guest', () => {
  const correct = (facts: ReservationFactsForRules, correction: lifecycle.GuestDetailsCorrection, now = NOW) =>
    lifecycle.correctGuestDetails(facts, buildReservationRuleContext(), correction, now);

  test('with another address sends a new link and resets the opened and clicked state', () => {
    const { changes, events, mints_token } = change(
      correct(buildReservationFactsForRules('clicked'), { guest_email: 'g@example.com' }),
    );
    expect(changes).toMatchObject({ guest_email: 'g@example.com', status: 'sent', opened_at: null, clicked_at: null });
    expect([events, mints_token]).toEqual([[{ type: 'reservation.sent' }], true]);
  });

  test.each([{ guest_name: 'Grace Hopper' }, { locale: 'pt-BR' }])('of %j is mailed with a new link', (correction) => {
    const decision = change(correct(buildReservationFactsForRules('clicked'), correction));
    expect(decision).toMatchObject({ changes: { ...correction, sent_at: NOW }, mints_token: true });
    expect(decision.changes).not.toHaveProperty('status');
  });

  test.each([
    ['sent', { guest_phone_last4: '1234' }],
    ['draft', { guest_email: 'g@example.com' }],
    ['synced', { guest_name: 'Grace Hopper' }],
  ] as const)('of a %s reservation to %j sends no mail', (status, correction) => {
    const decision = change(correct(buildReservationFactsForRules(status), correction));
    expect(decision).toMatchObject({ changes: correction, events: [], mints_token: false });
  });

  test('to the present values changes nothing', () => {
    const { guest_name, guest_email } = buildReservationFactsForRules('sent');
    expect(correct(buildReservationFactsForRules('sent'), { guest_name, guest_email: guest_email! })).toEqual({
      kind: 'unchanged',
    });
    expect(correct(buildReservationFactsForRules('sent'), {})).toEqual({ kind: 'unchanged' });
  });

  test('is refused under legal hold and after the stay', () => {
    const name = { guest_name: 'Grace Hopper' };
    expect(correct(buildReservationFactsForRules('sent', { legal_hold: true }), name)).toMatchObject({
      code: 'legal_hold',
    });
    expect(correct(buildReservationFactsForRules('sent'), name, TIME_AFTER_STAY)).toMatchObject({ code: 'stay_ended' });
  });
});

describe('an early release', () => {
  test('does not change the status', () => {
    const decision = lifecycle.overrideArrivalRelease(
      buildReservationFactsForRules('sent'),
      buildReservationRuleContext(),
      { by: 'Grace', reason: 'Late' },
      NOW,
    );
    expect(decision).toMatchObject({
      changes: { arrival_release_override_at: NOW, arrival_release_override_by: 'Grace' },
      mints_token: false,
    });
    expect(change(decision).changes).not.toHaveProperty('status');
  });
});

test('a refused decision becomes an AppError with code and param', () => {
  const refused = lifecycle.decideReservationFieldUpdate(buildReservationFactsForRules('draft'), {
    checkin_date: '2027-01-01',
  });
  expect(() => lifecycle.throwIfTransitionRefused(refused)).toThrow(AppError);
  expect(() => lifecycle.throwIfTransitionRefused(refused)).toThrow(
    expect.objectContaining({ code: 'invalid_date_range', param: 'checkout_date' }),
  );
  expect(lifecycle.throwIfTransitionRefused(lifecycle.restore(buildReservationFactsForRules('draft')))).toEqual({
    kind: 'unchanged',
  });
});

describe('the actions offered on a page', () => {
  test.each([
    ['draft', ['send', 'update', 'correct_guest', 'cancel', 'ignore', 'sign_manually', 'override_arrival', 'delete']],
    ['synced', ['send', 'update', 'correct_guest', 'cancel', 'ignore', 'sign_manually', 'override_arrival']],
    ['sent', ['resend', 'change_dates', 'correct_guest', 'cancel', 'sign_manually', 'override_arrival']],
    ['opened', ['resend', 'change_dates', 'correct_guest', 'cancel', 'sign_manually', 'override_arrival']],
    ['clicked', ['resend', 'change_dates', 'correct_guest', 'cancel', 'sign_manually', 'override_arrival']],
    ['signed', ['override_arrival']],
    ['expired', ['resend', 'sign_manually']],
    ['ignored', ['restore']],
  ] as [ReservationStatus, HostAction[]][])('for a %s reservation are %j', (status, allowed) => {
    const actions = getAllowedHostActions(buildReservationFactsForRules(status), buildReservationRuleContext(), NOW);
    expect(HOST_RESERVATION_ACTIONS.filter((action) => actions[action].allowed)).toEqual(allowed);
  });

  test('have a code when they are refused, or null when there is nothing left to do', () => {
    const missing = getAllowedHostActions(
      buildReservationFactsForRules('synced', { guest_email: null }),
      buildReservationRuleContext(),
      NOW,
    );
    expect(missing.send).toEqual({ allowed: false, code: 'guest_email_missing' });
    expect(missing.delete).toEqual({ allowed: false, code: 'reservation_not_deletable' });
    expect(missing.restore).toEqual({ allowed: false, code: null });
    const past = getAllowedHostActions(
      buildReservationFactsForRules('draft'),
      buildReservationRuleContext(),
      TIME_AFTER_STAY,
    );
    expect(past.send).toEqual({ allowed: false, code: 'stay_ended' });
  });

  test.each([
    ['draft', NOW, 'not_sent'],
    ['synced', TIME_AFTER_STAY, 'not_sent'],
    ['sent', NOW, 'open'],
    ['opened', NOW, 'open'],
    ['clicked', NOW, 'open'],
    ['clicked', TIME_AFTER_STAY, 'expired'],
    ['expired', NOW, 'expired'],
    ['ignored', NOW, 'cancelled'],
    ['signed', TIME_AFTER_STAY, 'signed'],
  ] as const)('the link of a %s reservation at %s is %s', (status, now, state) => {
    expect(getSigningLinkState(buildReservationFactsForRules(status), buildReservationRuleContext(), now)).toBe(state);
  });
});
