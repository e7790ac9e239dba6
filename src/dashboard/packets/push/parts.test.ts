import { expect, it } from 'vitest';
import { createPacketDraft, type PacketContentFields } from '../editor/draft';
import { buildDraftChangesThatCopyPacketParts } from './parts';

const packet = (rules: string[], fees: string[], currency: string, welcome: string | null): PacketContentFields => ({
  name: 'House rules',
  welcome_message: welcome,
  safety_notes: null,
  currency,
  rules: rules.map((text, at) => ({ id: `rule_${at}`, text, category: null })),
  fees: fees.map((label, at) => ({
    ...{ id: `fee_${at}`, label, amount_cents: 5000, unit: null, description: null, type: null },
  })),
  arrival_details: { wifi: null, door_code: '4711', checkin_notes: null, parking_notes: null },
  arrival_release: {
    wifi: 'before_signing',
    door_code: 'before_signing',
    checkin_notes: 'before_signing',
    parking_notes: 'before_signing',
  },
});
const mine = createPacketDraft(packet(['No smoking.'], ['Dog'], 'EUR', 'Mine'));
const theirs = packet(['no smoking. ', 'Quiet.'], ['Cleaning'], 'USD', 'Theirs');
let made = 0;
const newId = (kind: string) => `${kind}_new${++made}`;
const all = ['rules', 'fees', 'welcome_message', 'safety_notes'] as const;

it('adding appends to the existing content, without duplicates', () => {
  const taken = buildDraftChangesThatCopyPacketParts(mine, theirs, all, 'add', newId);
  expect(taken.rules?.map(({ text }) => text)).toEqual(['No smoking.', 'Quiet.']);
  expect(taken.rules?.[0]?.id).toBe('rule_0');
  expect(taken.rules?.[1]?.id).toMatch(/^rule_new/);
  expect(taken.fees?.map(({ label }) => label)).toEqual(['Dog', 'Cleaning']);
  expect(Object.keys(taken).sort()).toEqual(['fees', 'rules', 'safety_notes']);
});

it('replacing also takes over the currency of the amounts, and never a door code', () => {
  const taken = buildDraftChangesThatCopyPacketParts(mine, theirs, all, 'replace', newId);
  expect(taken).toMatchObject({ currency: 'USD', welcome_message: 'Theirs', safety_notes: '' });
  expect(taken.rules).toHaveLength(2);
  // A rule with the same text in both packets keeps the id of the draft's rule.
  expect(taken.rules?.[0]?.id).toBe('rule_0');
  expect(taken.rules?.[1]?.id).toMatch(/^rule_new/);
  expect(JSON.stringify(taken)).not.toContain('4711');
});

it('parts that are not selected are not copied', () => {
  expect(buildDraftChangesThatCopyPacketParts(mine, theirs, ['welcome_message'], 'replace', newId)).toEqual({
    welcome_message: 'Theirs',
  });
});
