import { describe, expect, it } from 'vitest';
import { createEnglishTranslator } from '../../i18n/english-words';
import {
  convertDraftToPacketContent,
  createPacketDraft,
  findUnsavedPacketChanges,
  isSamePacketDraftContent,
  moveListItem,
  type PacketContentFields,
  type PacketDraft,
} from './draft';
import { validatePacketContentWithSchema } from './draft-schema';

const words = { own: createEnglishTranslator('packets'), ui: createEnglishTranslator('ui') };

const packet: PacketContentFields = {
  name: 'House rules',
  welcome_message: 'Hello {{guest_name}}',
  safety_notes: null,
  currency: 'EUR',
  rules: [
    { id: 'rule_1', text: 'No smoking.', category: 'Smoking' },
    { id: 'rule_2', text: 'Quiet after ten.', category: null },
  ],
  fees: [
    { id: 'fee_1', label: 'Dog', amount_cents: 3050, unit: 'per stay', description: null, type: 'conditional_pet' },
  ],
  arrival_details: {
    wifi: { network: 'Loft', password: null },
    door_code: '4711',
    checkin_notes: null,
    parking_notes: null,
  },
  arrival_release: {
    wifi: 'before_signing',
    door_code: 'after_signing',
    checkin_notes: 'before_signing',
    parking_notes: 'manual',
  },
};
const base = convertDraftToPacketContent(createPacketDraft(packet), words, validatePacketContentWithSchema).content;

describe('convertDraftToPacketContent', () => {
  it('reads an untouched draft as no change and no error', () => {
    const { content, errors } = convertDraftToPacketContent(
      createPacketDraft(packet),
      words,
      validatePacketContentWithSchema,
    );
    expect(errors).toEqual({});
    expect(findUnsavedPacketChanges(content, base, errors)).toEqual({});
  });

  it('leaves out an added rule or fee that is still empty', () => {
    const draft = createPacketDraft(packet);
    draft.rules.push({ id: 'rule_new', text: ' ', category: 'Pets' });
    draft.fees.push({ id: 'fee_new', label: '', amount: '', unit: 'per night', description: '', type: null });
    const { content, errors } = convertDraftToPacketContent(draft, words, validatePacketContentWithSchema);
    expect(errors).toEqual({});
    expect(findUnsavedPacketChanges(content, base, errors)).toEqual({});
  });

  it.each<[string, (draft: PacketDraft) => Partial<PacketDraft>, RegExp]>([
    [
      'rules.rule_2.text',
      ({ rules }) => ({ rules: rules.map((rule) => ({ ...rule, text: 'Hi {{gest_name}}' })) }),
      /gest_name/,
    ],
    ['fees.fee_1.amount', ({ fees }) => ({ fees: fees.map((fee) => ({ ...fee, amount: 'lots' })) }), /amount/],
    ['fees.fee_1.label', ({ fees }) => ({ fees: fees.map((fee) => ({ ...fee, label: '' })) }), /Enter a name/],
    ['name', () => ({ name: ' ' }), /Enter a name/],
    ['currency', () => ({ currency: 'EURO' }), /EUR/],
  ])('reports an error of %s under its item', (key, change, message) => {
    const draft = createPacketDraft(packet);
    expect(
      convertDraftToPacketContent({ ...draft, ...change(draft) }, words, validatePacketContentWithSchema).errors[key],
    ).toMatch(message);
  });
});

describe('findUnsavedPacketChanges', () => {
  it('saves valid fields while others are invalid', () => {
    const draft = createPacketDraft(packet);
    draft.welcome_message = 'Welcome!';
    draft.fees = [{ id: 'fee_1', label: 'Dog', amount: 'x', unit: '', description: '', type: null }];
    const { content, errors } = convertDraftToPacketContent(draft, words, validatePacketContentWithSchema);
    expect(findUnsavedPacketChanges(content, base, errors)).toEqual({ welcome_message: 'Welcome!' });
  });

  it('detects a change of order', () => {
    const draft = createPacketDraft(packet);
    draft.rules = moveListItem(draft.rules, 0, 1);
    const { content, errors } = convertDraftToPacketContent(draft, words, validatePacketContentWithSchema);
    expect(findUnsavedPacketChanges(content, base, errors).rules?.map((rule) => rule.id)).toEqual(['rule_2', 'rule_1']);
  });
});

describe('isSamePacketDraftContent', () => {
  it('treats a fee type left to the server as equal to the server’s result', () => {
    const left = structuredClone(base);
    (left.fees[0] as { type: string | null }).type = null;
    expect(isSamePacketDraftContent(left, base)).toBe(true);
  });

  it('detects a changed text', () => {
    expect(isSamePacketDraftContent({ ...base, welcome_message: 'Other' }, base)).toBe(false);
  });
});
