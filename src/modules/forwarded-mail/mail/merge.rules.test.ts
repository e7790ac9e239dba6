import { describe, expect, it } from 'vitest';
import type { ReservationExtractionResult } from './extractors/extract';
import {
  decideForwardedMailAction,
  type ForwardedMailActionRuleInput,
  findReservationsMailMayBelongTo,
  type ReservationToMatchWithMail,
} from './merge.rules';

const extraction = (over: Partial<ReservationExtractionResult> = {}): ReservationExtractionResult => ({
  channel: 'channel_b',
  intent: 'confirmation',
  guest_name: 'Jane Doe',
  guest_email: 'jane-9f@messages.channel-b.example',
  relay_address: true,
  checkin_date: '2026-06-01',
  checkout_date: '2026-06-05',
  reservation_code: 'HA-Q2W3E4',
  codes_differ: false,
  conclusive: false,
  guest_language: null,
  ambiguous_dates: false,
  readings: [],
  complete: true,
  ...over,
});

const row = (over: Partial<ReservationToMatchWithMail> = {}): ReservationToMatchWithMail => ({
  id: 'res_1',
  source: 'channel_b',
  external_id: 'uid-1',
  external_uid: 'uid-1',
  guest_name: 'Guest',
  guest_email: null,
  language_known: false,
  checkin_date: '2026-06-01',
  checkout_date: '2026-06-05',
  status: 'synced',
  signed: false,
  manual_override: false,
  redacted: false,
  legal_hold: false,
  ...over,
});

const decide = (over: Partial<ForwardedMailActionRuleInput> = {}) =>
  decideForwardedMailAction({
    extraction: extraction(),
    verified: true,
    automatic_reply: false,
    bounce: false,
    loop: false,
    forwarding_confirmation: false,
    candidates: [],
    today: '2026-05-15',
    ...over,
  });

const FILLED = {
  action: 'fill',
  reservation_id: 'res_1',
  fill: {
    guest_email: 'jane-9f@messages.channel-b.example',
    guest_email_relay: true,
    guest_name: 'Jane Doe',
    external_id: 'HA-Q2W3E4',
  },
};

describe('a confirmation', () => {
  it('of an unknown stay creates a reservation, with or without an address', () => {
    expect(decide()).toEqual({ action: 'create' });
    expect(decide({ extraction: extraction({ guest_email: null, relay_address: false }) })).toEqual({
      action: 'create',
    });
  });
  it('fills in what a calendar’s reservation for the same dates lacks', () => {
    expect(decide({ candidates: [row()] })).toEqual(FILLED);
  });
  it('is matched by code before dates', () => {
    const coded = row({ external_id: 'HA-Q2W3E4', checkin_date: '2026-06-02' });
    const dated = row({ id: 'res_2' });
    expect(decide({ candidates: [dated, coded] })).toMatchObject({ action: 'fill', reservation_id: 'res_1' });
  });
  it('never replaces an existing address or name', () => {
    const known = row({ guest_name: 'Jane D.', guest_email: 'jane@example.com', external_id: 'HA-Q2W3E4' });
    expect(decide({ candidates: [known] })).toEqual({
      action: 'nothing',
      reservation_id: 'res_1',
      reason: 'already_known',
    });
  });
  it.each([
    ['signed', { signed: true }],
    ['of status signed', { status: 'signed' as const }],
    ['marked as signed by the host', { manual_override: true }],
    ['redacted', { redacted: true }],
    ['on legal hold', { legal_hold: true }],
  ])('does not change a reservation that is %s', (_name, over) => {
    expect(decide({ candidates: [row(over)] })).toMatchObject({ action: 'nothing', reason: 'protected' });
  });
  it('yields to the calendar’s dates, but asks the host when no calendar has the booking', () => {
    const coded = row({ external_id: 'HA-Q2W3E4', checkout_date: '2026-06-07' });
    expect(decide({ candidates: [coded] })).toMatchObject({ action: 'fill' });
    expect(decide({ candidates: [row({ external_id: 'HA-Q2W3E4', external_uid: null })] })).toMatchObject({
      action: 'fill',
    });
    expect(decide({ candidates: [{ ...coded, external_uid: null }] })).toMatchObject({
      action: 'inbox',
      reason: 'dates_differ',
    });
  });
  it('fills in an unknown language of the guest and a code that the calendar lacks', () => {
    const known = row({ guest_name: 'Jane Doe', guest_email: 'jane@example.com', external_id: 'HA-Q2W3E4' });
    const german = extraction({ guest_language: 'de', guest_email: null });
    const fill = (candidate: ReservationToMatchWithMail) => {
      const decided = decide({ extraction: german, candidates: [candidate] });
      return decided.action === 'fill' ? decided.fill : decided.action;
    };
    expect(fill(known)).toEqual({ guest_language: 'de' });
    expect(fill({ ...known, language_known: true })).toBe('nothing');
    expect(fill({ ...known, language_known: true, external_id: null })).toEqual({ external_id: 'HA-Q2W3E4' });
    expect(fill({ ...known, language_known: true, guest_email: null })).toBe('nothing');
    const uncoded = { ...german, reservation_code: null };
    expect(decide({ extraction: uncoded, candidates: [row()] })).toMatchObject({
      fill: { guest_name: 'Jane Doe', guest_language: 'de' },
    });
    expect(decide({ extraction: uncoded, candidates: [row()] })).not.toHaveProperty('fill.external_id');
  });
  it('with a reused code belongs to the reservation that has not ended', () => {
    const coded = (id: string, over: Partial<ReservationToMatchWithMail> = {}) =>
      row({ id, external_id: 'HA-Q2W3E4', ...over });
    const [ended, live] = [coded('res_1', { status: 'ignored' }), coded('res_2')];
    expect(decide({ candidates: [ended, live] })).toMatchObject({ action: 'fill', reservation_id: 'res_2' });
    expect(decide({ candidates: [live, coded('res_3')] })).toMatchObject({ action: 'inbox', reason: 'several_match' });
  });
  it.each(['ignored', 'expired'] as const)('for the dates of a reservation that is %s creates a new one', (status) => {
    expect(decide({ candidates: [row({ status })] })).toEqual({ action: 'create' });
  });
  it('for another channel’s stay or an adjoining stay creates a separate reservation', () => {
    expect(
      decide({
        candidates: [
          row({ source: 'channel_a' }),
          row({ checkin_date: '2026-05-25', checkout_date: '2026-06-01' }),
          row({ checkin_date: '2026-06-05', checkout_date: '2026-06-09' }),
        ],
      }),
    ).toEqual({
      action: 'create',
    });
  });
  it.each([
    ['overlaps_another', [row({ checkout_date: '2026-06-04' })]],
    ['overlaps_another', [row({ checkin_date: '2026-05-30' })]],
    ['overlaps_another', [row({ guest_name: 'Kim Lee' })]],
    ['overlaps_another', [row({ external_id: 'HA-OTHER1' })]],
    ['several_match', [row(), row({ id: 'res_2' })]],
    ['reservation_ended', [row({ external_id: 'HA-Q2W3E4', status: 'ignored' })]],
    ['reservation_ended', [row({ external_id: 'HA-Q2W3E4', status: 'expired' })]],
    ['dates_differ', [row({ external_id: 'HA-Q2W3E4', external_uid: null, checkin_date: '2026-06-02' })]],
  ] as const)('waits for the host with reason %s', (reason, candidates) => {
    expect(decide({ candidates })).toMatchObject({ action: 'inbox', reason });
  });
});

describe('the inbox', () => {
  it.each([
    ['not_verified', { verified: false }],
    ['forwarding_confirmation', { forwarding_confirmation: true }],
    ['cancellation', { extraction: extraction({ intent: 'cancellation' }) }],
    ['change', { extraction: extraction({ intent: 'change' }) }],
    ['not_a_confirmation', { extraction: extraction({ intent: 'other' }) }],
    ['ambiguous_dates', { extraction: extraction({ ambiguous_dates: true, checkin_date: null }) }],
    ['missing_dates', { extraction: extraction({ checkin_date: null }) }],
    ['missing_dates', { extraction: extraction({ checkout_date: null }), candidates: [row()] }],
    ['missing_name', { extraction: extraction({ guest_name: null }) }],
    ['unknown_channel', { extraction: extraction({ channel: null }) }],
    ['stay_over', { today: '2026-06-05' }],
  ] as const)('receives a mail with reason %s', (reason, over) => {
    expect(decide(over)).toEqual({ action: 'inbox', reason, reservation_id: null });
  });
  it('does not receive a confirmation whose stay ends tomorrow', () => {
    expect(decide({ today: '2026-06-04' })).toEqual({ action: 'create' });
  });
  it('suggests the reservation that a mail may belong to', () => {
    expect(decide({ verified: false, candidates: [row()] })).toMatchObject({
      reason: 'not_verified',
      reservation_id: 'res_1',
    });
  });
});

describe('a mail that is dismissed', () => {
  it.each(['loop', 'bounce', 'automatic_reply'] as const)('has reason %s', (reason) => {
    expect(decide({ [reason]: true, candidates: [row()] })).toEqual({ action: 'dismiss', reason });
  });
});

describe('the reservations that a mail with incomplete dates may belong to', () => {
  const arrival = { checkout_date: null, guest_name: null, reservation_code: null };
  const two_ways = {
    ...arrival,
    checkin_date: null,
    readings: [
      { checkin_date: '2026-06-01', checkout_date: '2026-06-05' },
      { checkin_date: '2026-01-06', checkout_date: '2026-05-06' },
    ],
  };
  it.each<[string, Partial<ReservationExtractionResult>, Partial<ReservationToMatchWithMail>, boolean]>([
    ['begins on the mail’s day', arrival, {}, true],
    [
      'has other dates than any reading',
      { ...two_ways, checkout_date: '2026-06-05' },
      { checkin_date: '2026-06-02' },
      false,
    ],
    ['begins on another day', arrival, { checkin_date: '2026-06-02' }, false],
    ['has the dates of one reading', two_ways, {}, true],
    ['ends on another day than the reading', two_ways, { checkout_date: '2026-06-06' }, false],
    ['is another channel’s', arrival, { source: 'channel_a' }, false],
    ['is of any channel when the mail is of none', { ...arrival, channel: null }, { source: 'channel_a' }, true],
    ['has another code', { ...arrival, reservation_code: 'HA-1' }, { external_id: 'HA-2' }, false],
    ['has another guest', { ...arrival, guest_name: 'Jane Doe' }, { guest_name: 'Kim Lee' }, false],
    ['is ignored', arrival, { status: 'ignored' }, false],
    ['is expired', arrival, { status: 'expired' }, false],
    ['is signed', arrival, { status: 'signed' }, false],
    ['has the mail’s complete dates', {}, {}, false],
  ])('include one that %s: $3', (_name, found, candidate, offered) => {
    expect(findReservationsMailMayBelongTo(extraction(found), [row(candidate)])).toHaveLength(offered ? 1 : 0);
  });
});
