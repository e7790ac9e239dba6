import { describe, expect, it } from 'vitest';
import type { PacketView } from '@/modules/signing/packet-view';
import {
  describeFeeTiming,
  getFeeApplicability,
  getFeeUnitLabel,
  getRuleCategoryLabel,
  groupRulesByCategory,
} from '@/shared/guest-text/labels';
import { getGuestTranslator } from '@/shared/guest-text/translate';
import { highlightPacketChanges } from './packet-diff';
import { samplePacketView, sampleVerifyPageModel } from './testing/models';
import { getCertificateVerificationVerdict } from './verdict';

const t = getGuestTranslator('en');

describe('labels', () => {
  it.each([
    ['quiet_hours', 'Noise and quiet hours'],
    ['Quiet Hours', 'Noise and quiet hours'],
    ['check-in', 'Check-in'],
    ['Our cat', 'Our cat'],
    ['constructor', 'constructor'],
    [null, 'General'],
    [' ', 'General'],
  ])('the category %j has the heading %j', (category, label) => {
    expect(getRuleCategoryLabel(category, t)).toBe(label);
  });

  it('rules are grouped by category in the order categories appear', () => {
    expect(groupRulesByCategory(samplePacketView.rules, t).map((group) => [group.label, group.rules.length])).toEqual([
      ['Noise and quiet hours', 2],
      ['Smoking', 1],
      ['Our cat', 1],
    ]);
  });

  it.each([
    ['per_night', 'per night'],
    ['per guest per night', 'per guest and night'],
    ['stay', 'per stay'],
    ['per basket', 'per basket'],
    [null, null],
    ['', null],
  ])('the unit %j is shown as %j', (unit, label) => {
    expect(getFeeUnitLabel(unit, t)).toBe(label);
  });

  it.each([
    ['mandatory_cleaning', 'mandatory', 'Applies to your stay'],
    ['mandatory_deposit', 'mandatory', 'Deposit for your stay'],
    ['conditional_pet', 'conditional', 'Only if you bring a pet'],
    ['conditional_other', 'conditional', 'Only in the case described'],
    [null, 'unspecified', null],
    ['toString', 'unspecified', null],
  ])('a fee of type %j is %s, with the text %j', (type, kind, when) => {
    expect(getFeeApplicability(type)).toBe(kind);
    expect(describeFeeTiming({ type }, t)).toBe(when);
  });
});

describe('highlightPacketChanges', () => {
  it('marks nothing when nothing changed', () => {
    const { packet: marked, changes } = highlightPacketChanges(samplePacketView, structuredClone(samplePacketView));
    expect([...marked.rules, ...marked.fees, ...marked.arrival].filter((item) => item.change)).toEqual([]);
    expect(changes).toEqual({
      welcome_message: false,
      safety_notes: false,
      removed_rules: [],
      removed_fees: [],
      removed_arrival: [],
      marked: false,
    });
  });

  it('marks added, changed and removed items', () => {
    const after: PacketView = {
      ...samplePacketView,
      welcome_message: 'Hi',
      rules: [
        ...samplePacketView.rules.slice(1).map((rule, at) => (at === 0 ? { ...rule, text: 'No smoking.' } : rule)),
        { id: 'new', text: 'New', category: null },
      ],
      fees: samplePacketView.fees.map((fee) => (fee.id === 'fee_1' ? { ...fee, amount_cents: 9000 } : fee)),
      arrival: [
        ...samplePacketView.arrival.slice(1),
        { group: 'wifi', state: 'visible', network: 'Loft-5G', password: 'changed' },
      ],
    };
    const { packet: marked, changes } = highlightPacketChanges(samplePacketView, after);
    expect(marked.rules.map((rule) => rule.change)).toEqual(['changed', null, null, 'added']);
    expect(marked.fees.map((fee) => fee.change)).toEqual(['changed', null, null]);
    expect(marked.arrival.map((group) => group.change)).toEqual([null, null, 'changed']);
    expect(changes).toMatchObject({
      welcome_message: true,
      safety_notes: false,
      removed_rules: ['Quiet from 10 pm to 8 am.'],
    });
  });

  it('marks every fee as changed when the currency changes', () => {
    const { packet: marked } = highlightPacketChanges(samplePacketView, { ...samplePacketView, currency: 'EUR' });
    expect(marked.fees.every((fee) => fee.change === 'changed')).toBe(true);
  });

  it('does not mark a different order', () => {
    const { packet: marked } = highlightPacketChanges(samplePacketView, {
      ...samplePacketView,
      rules: [...samplePacketView.rules].reverse(),
    });
    expect(marked.rules.filter((rule) => rule.change)).toEqual([]);
  });
});

describe('getCertificateVerificationVerdict', () => {
  const sealed = sampleVerifyPageModel.seal;
  it.each([
    ['everything agrees', {}, 'ok'],
    ['the seal is pending', { seal: { state: 'pending' } }, 'pending'],
    ['the content does not match', { content_state: 'mismatch' }, 'bad'],
    ['the chain is broken', { chain: { state: 'broken', entry: 3 } }, 'bad'],
    ['the PDF does not match', { seal: { state: 'invalid', pdf_sha256: null } }, 'bad'],
    [
      'it was redacted',
      { redacted_at: '2026-08-01T00:00:00Z', content_state: 'redacted', seal: { state: 'removed' } },
      'redacted',
    ],
    [
      'it was redacted and the chain is broken',
      { redacted_at: '2026-08-01T00:00:00Z', chain: { state: 'broken', entry: 1 } },
      'bad',
    ],
    ['it is not in the public log', { log: { state: 'missing' } }, 'bad'],
    ['there is no seal though a guest signed', { seal: { state: 'none' } }, 'pending'],
  ] as const)('is $2 when %s', (_, over, verdict) => {
    expect(getCertificateVerificationVerdict({ ...sampleVerifyPageModel, seal: sealed, ...over })).toBe(verdict);
  });
});
