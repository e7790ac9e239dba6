import { describe, expect, it } from 'vitest';
import { createEmptyPacketContent } from '../rules/content';
import { buildPacketEditThatCopiesParts } from './parts.rules';

const fee = (id: string, label: string, amount_cents: number) => ({
  ...{ id, label, amount_cents, unit: null, description: null, type: null },
});
const from = {
  ...createEmptyPacketContent('EUR'),
  welcome_message: 'Hello',
  safety_notes: null,
  rules: [
    { id: 'rule_a', text: 'No smoking.', category: 'Smoking' },
    { id: 'rule_b', text: 'Quiet after ten.', category: null },
  ],
  fees: [fee('fee_a', 'Cleaning', 5000)],
};
const to = {
  rules: [
    { id: 'rule_1', text: 'Shoes off.', category: null },
    { id: 'rule_2', text: ' no SMOKING. ', category: null },
  ],
  fees: [fee('fee_1', 'cleaning', 4000), fee('fee_2', 'Cleaning', 1)],
};

describe('content pushed to another packet', () => {
  it('keeps the ids of matching items, each once, and brings no other ids', () => {
    expect(buildPacketEditThatCopiesParts(from, to, ['rules', 'fees'])).toEqual({
      rules: [
        { id: 'rule_2', text: 'No smoking.', category: 'Smoking' },
        { text: 'Quiet after ten.', category: null },
      ],
      fees: [{ ...fee('fee_1', 'Cleaning', 5000) }],
      currency: 'EUR',
    });
  });

  it.each([
    [['welcome_message'], { welcome_message: 'Hello' }],
    [['safety_notes'], { safety_notes: null }],
    [[], {}],
  ] as const)('with the parts %j is %j', (parts, edit) => {
    expect(buildPacketEditThatCopiesParts(from, to, parts)).toEqual(edit);
  });
});
