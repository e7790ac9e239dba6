import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildSampleAgreementSnapshot, SAMPLE_AGREEMENT_SNAPSHOT_INPUT } from '@/modules/certificates/testing/sample';
import {
  type AgreementSnapshotInput,
  agreementSnapshotSchema,
  buildAgreementSnapshot,
  hashAgreementSnapshot,
  isArrivalDetailGroupPopulated,
  toCanonicalSnapshotText,
} from './snapshot';

const PUBLISHED_HASH = '2ed5a95705b1c4fc62dc0994b338390ecb21db978203710bcfee01afea35a598';

describe('the snapshot', () => {
  it('of another version is rejected', () => {
    expect(agreementSnapshotSchema.safeParse(buildSampleAgreementSnapshot()).success).toBe(true);
    const { error } = agreementSnapshotSchema.safeParse({ ...buildSampleAgreementSnapshot(), version: 2 });
    expect(error?.issues).toMatchObject([{ path: ['version'], message: expect.stringContaining('expected 1') }]);
  });

  it('has the published hash of version 1', () => {
    expect(hashAgreementSnapshot(buildSampleAgreementSnapshot())).toBe(PUBLISHED_HASH);
  });

  it('contains the labels of rules and fees in the guest’s language, and the visible notes', () => {
    const visible_notes = [{ group: 'checkin_notes' as const, text: 'Mind the step.' }];
    const { packet } = buildSampleAgreementSnapshot({
      locale: 'de',
      packet: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.packet, visible_notes },
    });
    expect(packet.rules.map(({ heading }) => heading)).toEqual(
      expect.arrayContaining(['Lärm und Ruhezeiten', 'Allgemein', 'Leaving']),
    );
    expect(packet.fees[1]).toMatchObject({
      heading: 'Nur wenn sie anfallen',
      unit_label: 'pro Nacht',
      when: 'Nur wenn Sie ein Haustier mitbringen',
    });
    expect(packet.notes).toEqual([{ group: 'checkin_notes', heading: 'So checken Sie ein', text: 'Mind the step.' }]);
  });

  it('never contains the content of arrival details', () => {
    const text = toCanonicalSnapshotText(buildSampleAgreementSnapshot());
    for (const secret of ['never-print-me', '4711#', 'Garage B', 'ribeira"']) expect(text).not.toContain(secret);
  });

  it('lists only populated arrival groups, with before_signing as the default', () => {
    const arrival_details = {
      wifi: { network: '', password: ' ' },
      door_code: '1',
      checkin_notes: 'x',
      parking_notes: null,
    };
    const arrival_release = { checkin_notes: 'manual', parking_notes: 'after_signing' };
    const snapshot = buildSampleAgreementSnapshot({
      packet: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.packet, arrival_details, arrival_release },
    });
    expect(snapshot.packet.arrival_release).toEqual({ door_code: 'before_signing', checkin_notes: 'manual' });
  });

  it('omits every column that is not part of what the guest saw', () => {
    const source = structuredClone(SAMPLE_AGREEMENT_SNAPSHOT_INPUT);
    Object.assign(source.property, { team_id: 'team_x' });
    Object.assign(source.reservation, { internal_note: 'difficult guest' });
    Object.assign(source.packet, { updated_at: new Date() });
    Object.assign(source.consent, { draft: true });
    expect(buildAgreementSnapshot(source)).toEqual(buildSampleAgreementSnapshot());
  });

  it('contains texts with their short codes filled in', () => {
    const packet = {
      ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.packet,
      welcome_message: 'Hello {{guest_name}}',
      rules: [{ id: 'r', text: '{{guest_name}} is quiet', category: null }],
      fees: [
        {
          id: 'f',
          label: 'L {{guest_name}}',
          description: 'D {{guest_name}}',
          amount_cents: 1,
          unit: null,
          type: null,
        },
      ],
      safety_notes: 'S {{guest_name}}',
    };
    const snapshot = buildSampleAgreementSnapshot({
      packet,
      fill_text: (text) => text.replaceAll('{{guest_name}}', 'Ada'),
    });
    expect(toCanonicalSnapshotText(snapshot)).not.toContain('{{');
    expect(snapshot.packet.welcome_message).toBe('Hello Ada');
    expect(snapshot.packet.fees[0]).toMatchObject({ label: 'L Ada', description: 'D Ada' });
  });

  it('includes the fee type in its hash', () => {
    const fees = (type: string | null) => [
      { id: 'f', label: 'Dog', amount_cents: 100, unit: null, description: null, type },
    ];
    const hash = (type: string | null) =>
      hashAgreementSnapshot(
        buildSampleAgreementSnapshot({ packet: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.packet, fees: fees(type) } }),
      );
    expect(hash('conditional_pet')).not.toBe(hash(null));
  });

  it.each<[string, Partial<AgreementSnapshotInput>]>([
    [
      'a date with a time',
      { reservation: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.reservation, checkin_date: '2026-03-01T00:00:00Z' } },
    ],
    [
      'a fraction of a cent',
      { packet: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.packet, fees: [{ id: 'f', label: 'x', amount_cents: 1.5 }] } },
    ],
    [
      'an unknown release',
      { packet: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.packet, arrival_release: { wifi: 'sometimes' } } },
    ],
    ['a consent without text', { consent: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.consent, text: '' } }],
  ])('rejects %s', (_, change) => {
    expect(() => buildAgreementSnapshot({ ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT, ...change })).toThrow();
  });

  it('has the same hash in any order of its keys, and after a round trip through JSON', () => {
    const shuffled = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shuffled);
      if (value === null || typeof value !== 'object') return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, item]) => [key, shuffled(item)]),
      );
    };
    const snapshot = buildSampleAgreementSnapshot();
    const again = agreementSnapshotSchema.parse(shuffled(JSON.parse(JSON.stringify(snapshot))));
    expect(hashAgreementSnapshot(again)).toBe(hashAgreementSnapshot(snapshot));
  });

  it('changes its hash with any text of any rule', () => {
    const rules = fc.array(fc.record({ id: fc.string(), text: fc.string(), category: fc.option(fc.string()) }), {
      maxLength: 5,
    });
    const hash = (value: AgreementSnapshotInput['packet']['rules']) =>
      hashAgreementSnapshot(
        buildSampleAgreementSnapshot({ packet: { ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT.packet, rules: value } }),
      );
    fc.assert(
      fc.property(rules, rules, (left, right) => {
        expect(hash(left) === hash(right)).toBe(JSON.stringify(left) === JSON.stringify(right));
      }),
    );
  });
});

describe('isArrivalDetailGroupPopulated', () => {
  it.each([
    ['text', true],
    ['  ', false],
    ['', false],
    [null, false],
    [undefined, false],
    [{ network: 'n', password: '' }, true],
    [{ network: null, password: '' }, false],
    [{}, false],
  ])('%j is populated: %s', (value, expected) => {
    expect(isArrivalDetailGroupPopulated(value)).toBe(expected);
  });
});
