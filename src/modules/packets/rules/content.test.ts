import { describe, expect, test } from 'vitest';
import {
  createEmptyPacketContent,
  editPacketContent,
  isSamePacketContent,
  normalizePacketFees,
  normalizePacketRules,
  type PacketContent,
  type PacketFeeInput,
  type PacketItemIdFactory,
} from './content';

function ids(): PacketItemIdFactory {
  let count = 0;
  return (kind) => `${kind}_${++count}`;
}
const fee = (different: Partial<PacketFeeInput> = {}): PacketFeeInput => ({
  label: 'Pet fee',
  amount_cents: 2500,
  ...different,
});
const refusal = (code: string, param: string) => expect.objectContaining({ name: 'AppError', code, param });

describe('rules', () => {
  test('receive ids when they have none, and keep existing ids', () => {
    const rules = normalizePacketRules(
      [{ text: ' No smoking ' }, { id: 'mine', text: 'No shoes', category: ' House ' }],
      ids(),
    );
    expect(rules).toEqual([
      { id: 'rule_1', text: 'No smoking', category: null },
      { id: 'mine', text: 'No shoes', category: 'House' },
    ]);
    expect(normalizePacketRules(rules, ids())).toEqual(rules);
  });

  test('are rejected with a duplicate id, without text or beyond 200', () => {
    const twice = [{ id: 'a', text: 'x' }, { text: 'y' }, { id: 'a', text: 'z' }];
    expect(() => normalizePacketRules(twice, ids())).toThrow(refusal('invalid_field', 'rules[2].id'));
    expect(() => normalizePacketRules([{ text: 'x' }, { text: ' ' }], ids())).toThrow(
      refusal('missing_required_field', 'rules[1].text'),
    );
    const many = Array.from({ length: 201 }, () => ({ text: 'x' }));
    expect(() => normalizePacketRules(many, ids())).toThrow(refusal('too_many_items', 'rules'));
    expect(normalizePacketRules(many.slice(1), ids())).toHaveLength(200);
  });
});

describe('fees', () => {
  test.each([
    ['absent: classified', fee(), 'conditional_pet'],
    ['null: classified', fee({ type: null }), 'conditional_pet'],
    ['valid: kept even against the words', fee({ type: 'mandatory_other' }), 'mandatory_other'],
    ['no word fits: null', fee({ label: 'Hot tub' }), null],
    ['the description’s words count', fee({ label: 'Fee', description: 'per dog' }), 'conditional_pet'],
  ])('type %s', (_, input, type) => {
    expect(normalizePacketFees([input], ids())).toEqual([
      { id: 'fee_1', label: input.label, amount_cents: 2500, unit: null, description: input.description ?? null, type },
    ]);
  });

  test('are rejected with an unknown type, a duplicate id, no label or beyond 100', () => {
    expect(() => normalizePacketFees([fee({ type: 'pet' })], ids())).toThrow(refusal('invalid_field', 'fees[0].type'));
    expect(() => normalizePacketFees([fee({ id: 'a' }), fee({ id: 'a' })], ids())).toThrow(
      refusal('invalid_field', 'fees[1].id'),
    );
    expect(() => normalizePacketFees([fee({ label: '' })], ids())).toThrow(
      refusal('missing_required_field', 'fees[0].label'),
    );
    const many = Array.from({ length: 101 }, () => fee());
    expect(() => normalizePacketFees(many, ids())).toThrow(refusal('too_many_items', 'fees'));
    expect(normalizePacketFees(many.slice(1), ids())).toHaveLength(100);
  });
});

const full: PacketContent = {
  welcome_message: 'Hello',
  currency: 'EUR',
  rules: [{ id: 'r1', text: 'No smoking', category: null }],
  fees: [{ id: 'f1', label: 'Pet', amount_cents: 1, unit: null, description: null, type: 'conditional_pet' }],
  safety_notes: 'Extinguisher',
  arrival_details: {
    wifi: { network: 'Home', password: 'pw' },
    door_code: '1',
    checkin_notes: 'c',
    parking_notes: 'p',
  },
  arrival_release: {
    wifi: 'after_signing',
    door_code: 'manual',
    checkin_notes: 'before_signing',
    parking_notes: 'manual',
  },
};

describe('a PATCH', () => {
  test('keeps fields that it does not name', () => {
    expect(editPacketContent(full, {}, ids())).toEqual(full);
  });

  test('replaces arrays as a whole', () => {
    const edited = editPacketContent(full, { rules: [{ text: 'New' }], fees: [] }, ids());
    expect(edited.rules).toEqual([{ id: 'rule_1', text: 'New', category: null }]);
    expect(edited.fees).toEqual([]);
  });

  test('changes only the groups it names', () => {
    const edited = editPacketContent(
      full,
      { arrival_release: { wifi: 'manual' }, arrival_details: { door_code: '2', wifi: null } },
      ids(),
    );
    expect(edited.arrival_release).toEqual({ ...full.arrival_release, wifi: 'manual' });
    expect(edited.arrival_details).toEqual({ ...full.arrival_details, door_code: '2', wifi: null });
  });

  test('clears fields that it sets to null or to blanks', () => {
    const edited = editPacketContent(
      full,
      {
        welcome_message: null,
        safety_notes: '  ',
        arrival_details: { wifi: { network: ' ', password: '' }, door_code: '', checkin_notes: null },
      },
      ids(),
    );
    expect(edited).toMatchObject({ welcome_message: null, safety_notes: null });
    expect(edited.arrival_details).toEqual({ wifi: null, door_code: null, checkin_notes: null, parking_notes: 'p' });
    expect(editPacketContent(full, { arrival_details: null, arrival_release: null }, ids())).toMatchObject({
      arrival_details: createEmptyPacketContent().arrival_details,
      arrival_release: createEmptyPacketContent().arrival_release,
    });
  });
});

test('a PUT clears fields that it does not name and keeps the given currency', () => {
  const replaced = editPacketContent(
    createEmptyPacketContent('EUR'),
    { rules: [{ id: 'r1', text: 'Only this' }] },
    ids(),
  );
  expect(replaced).toEqual({
    ...createEmptyPacketContent('EUR'),
    rules: [{ id: 'r1', text: 'Only this', category: null }],
  });
});

test('a Wi-Fi network or password alone is accepted, and labels are trimmed', () => {
  const edit = (wifi: { network?: string; password?: string }) =>
    editPacketContent(
      createEmptyPacketContent(),
      { arrival_details: { wifi }, fees: [{ label: ' Pet ', amount_cents: 1 }] },
      ids(),
    );
  expect(edit({ network: 'loft' }).arrival_details.wifi).toEqual({ network: 'loft', password: null });
  expect(edit({ password: 'secret' }).arrival_details.wifi).toEqual({ network: null, password: 'secret' });
  expect(edit({ network: ' ', password: '' }).arrival_details.wifi).toBeNull();
  expect(edit({}).fees[0]?.label).toBe('Pet');
});

test('empty content has no rules, no fees and empty arrival details', () => {
  expect(createEmptyPacketContent('EUR')).toMatchObject({
    currency: 'EUR',
    rules: [],
    fees: [],
    arrival_details: { wifi: null, door_code: null, checkin_notes: null, parking_notes: null },
  });
});

describe('the comparison of content', () => {
  test('distinguishes a list from an object with numeric keys', () => {
    const as = (rules: unknown) => ({ ...full, rules: rules as PacketContent['rules'] });
    expect(isSamePacketContent(as([]), as({}))).toBe(false);
    expect(isSamePacketContent(as(['x']), as({ 0: 'x' }))).toBe(false);
  });

  test('ignores the order of keys', () => {
    const shuffled = JSON.parse(JSON.stringify(full), (_, value) =>
      value && typeof value === 'object' && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).reverse())
        : value,
    ) as PacketContent;
    expect(Object.keys(shuffled)).not.toEqual(Object.keys(full));
    expect(isSamePacketContent(full, shuffled)).toBe(true);
  });

  test('finds no difference when PATCH sends back what GET returned', () => {
    expect(isSamePacketContent(full, editPacketContent(full, structuredClone(full), ids()))).toBe(true);
  });

  test.each([
    ['a rule’s text', { ...full, rules: [{ ...full.rules[0]!, text: 'No Smoking' }] }],
    ['one rule fewer', { ...full, rules: [] }],
    ['a group’s policy', { ...full, arrival_release: { ...full.arrival_release, wifi: 'manual' as const } }],
    ['no wifi', { ...full, arrival_details: { ...full.arrival_details, wifi: null } }],
    ['another currency', { ...full, currency: 'USD' }],
    ['no currency', { ...full, currency: undefined as unknown as string }],
    ['a list in place of an object', { ...full, arrival_details: [] as unknown as PacketContent['arrival_details'] }],
    ['an object in place of a list', { ...full, fees: {} as unknown as PacketContent['fees'], rules: [] }],
    ['a word in place of an object', { ...full, arrival_release: '' as unknown as PacketContent['arrival_release'] }],
  ])('detects %s', (_, other) => {
    expect(isSamePacketContent(full, other)).toBe(false);
    expect(isSamePacketContent(other, full)).toBe(false);
  });
});
