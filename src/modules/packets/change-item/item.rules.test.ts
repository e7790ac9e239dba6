import { describe, expect, it } from 'vitest';
import {
  buildPacketContentInputWithItemChange,
  findPacketItemsByName,
  listPacketItemNames,
  normalizePacketItemName,
} from './item.rules';

const fee = (id: string, label: string, amount_cents = 5000) => ({
  ...{ id, label, amount_cents, unit: 'per hour', description: null, type: 'conditional_late_checkout' },
});
const rule = (id: string, text: string, category: string | null = null) => ({ id, text, category });
const content = {
  currency: 'EUR',
  fees: [fee('fee_1', 'Late check-out'), fee('fee_2', 'Dog', 3000)],
  rules: [rule('rule_1', 'Quiet after ten.', 'Noise'), rule('rule_2', 'No parties.', 'noise ')],
};

describe('comparing fees or rules', () => {
  it.each([
    ['Late check-out', 'late checkout '],
    ['Late check-out', 'LATE  CHECK‑OUT'],
    ['Quiet after 22:00!', 'Quiet after 2200'],
    ['ﬁne', 'fine'],
  ])('%j equals %j', (one, other) => {
    expect(normalizePacketItemName(one)).toBe(normalizePacketItemName(other));
  });

  it.each([
    ['Dog', 'Dogs'],
    ['Café', 'Cafe'],
    ['कि', 'क'],
    ['!!', '?'],
  ])('%j differs from %j', (one, other) => {
    expect(normalizePacketItemName(one)).not.toBe(normalizePacketItemName(other));
  });
});

it('a packet lists each of its fees, rules and headings once', () => {
  expect(listPacketItemNames(content).map(({ kind, name }) => `${kind}: ${name}`)).toEqual([
    'fee: Late check-out',
    'fee: Dog',
    'rule: Quiet after ten.',
    'rule: No parties.',
    'category: noise',
  ]);
});

it('a fee is found by its name, a rule by its text, and all rules by their heading', () => {
  const ids = (kind: 'fee' | 'rule' | 'category', name: string) => {
    const { fees, rules } = findPacketItemsByName(content, { kind, key: normalizePacketItemName(name) });
    return [...fees, ...rules].map(({ id }) => id);
  };
  expect(ids('fee', 'late checkout')).toEqual(['fee_1']);
  expect(ids('rule', 'quiet after ten')).toEqual(['rule_1']);
  expect(ids('category', 'Noise')).toEqual(['rule_1', 'rule_2']);
  expect(ids('rule', 'Noise')).toEqual([]);
  expect(ids('fee', 'Quiet after ten.')).toEqual([]);
});

describe('a change', () => {
  it('of an amount applies in the packet’s own currency and changes nothing else', () => {
    const change = { fee: { amounts: { EUR: 6000, GBP: 5000 } } };
    expect(buildPacketContentInputWithItemChange(content, ['fee_1'], change)).toEqual({
      fees: [{ ...content.fees[0], amount_cents: 6000 }, content.fees[1]],
    });
    const [same] = buildPacketContentInputWithItemChange({ ...content, currency: 'USD' }, ['fee_1'], change).fees ?? [];
    expect(same?.amount_cents).toBe(5000);
  });

  it('of text keeps omitted fields and clears fields set to null', () => {
    const { fees } = buildPacketContentInputWithItemChange(content, ['fee_1'], {
      fee: { label: 'Late departure', unit: null },
    });
    expect(fees?.[0]).toEqual({ ...content.fees[0], label: 'Late departure', unit: null });
    expect(
      buildPacketContentInputWithItemChange(content, ['rule_2'], {
        rule: { text: 'No parties, please.', category: undefined },
      }),
    ).toEqual({
      rules: [content.rules[0], { ...content.rules[1], text: 'No parties, please.' }],
    });
  });
});
