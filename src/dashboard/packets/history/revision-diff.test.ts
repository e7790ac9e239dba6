import { describe, expect, it } from 'vitest';
import { createEnglishTranslator } from '../../i18n/english-words';
import type { PacketContentFields } from '../editor/draft';
import { describeRevisionChanges } from './revision-diff';

const words = { t: createEnglishTranslator('packets'), terms: createEnglishTranslator('terms'), formats: 'en-GB' };

const before: PacketContentFields = {
  name: 'House rules',
  welcome_message: null,
  safety_notes: 'Extinguisher by the door.',
  currency: 'EUR',
  rules: [
    { id: 'a', text: 'No smoking.', category: null },
    { id: 'b', text: 'Quiet after ten.', category: 'Noise' },
  ],
  fees: [{ id: 'f', label: 'Dog', amount_cents: 3000, unit: null, description: null, type: 'conditional_pet' }],
  arrival_details: { wifi: null, door_code: '4711', checkin_notes: null, parking_notes: null },
  arrival_release: {
    wifi: 'before_signing',
    door_code: 'before_signing',
    checkin_notes: 'before_signing',
    parking_notes: 'before_signing',
  },
};

describe('describeRevisionChanges', () => {
  it('returns nothing when nothing changed', () => {
    expect(describeRevisionChanges(before, structuredClone(before), words)).toEqual([]);
  });

  it.each<[string, Partial<PacketContentFields>, object]>([
    ['an added text', { welcome_message: 'Hi' }, { what: 'Welcome message', kind: 'added', after: 'Hi' }],
    [
      'a removed text',
      { safety_notes: null },
      { what: 'Safety notes', kind: 'removed', before: 'Extinguisher by the door.' },
    ],
    ['a moved rule', { rules: [...before.rules].reverse() }, { what: 'Rules', kind: 'moved' }],
    [
      'a removed rule',
      { rules: before.rules.slice(0, 1) },
      { what: 'Rule', kind: 'removed', before: 'Noise: Quiet after ten.' },
    ],
    [
      'a changed amount',
      { fees: [{ ...(before.fees[0] as PacketContentFields['fees'][number]), amount_cents: 4550 }] },
      { what: 'Fee', kind: 'changed', before: 'Dog, €30.00 · Pet', after: 'Dog, €45.50 · Pet' },
    ],
    [
      'a changed release time',
      { arrival_release: { ...before.arrival_release, door_code: 'after_signing' } },
      { what: 'When Door code is shown', kind: 'changed', before: 'Before signing', after: 'After signing' },
    ],
  ])('describes %s', (_name, change, line) => {
    expect(describeRevisionChanges(before, { ...before, ...change }, words)).toEqual([line]);
  });
});
