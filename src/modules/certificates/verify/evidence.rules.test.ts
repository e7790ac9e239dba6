/**
 * Changes each stored fact separately and tests that it differs from the sealed fact.
 * tampering.test.ts does the same with real files and rows.
 */
import { describe, expect, it } from 'vitest';
import type { ChainedTrailEntry } from '@/modules/trail/chain';
import type { AuditTrailFile } from '../seal/attachments';
import {
  findColumnsDifferingFromSealedEvidence,
  type SealedEvidence,
  type StoredEvidence,
  type StoredSignatureEvidence,
} from './evidence.rules';

const entry = (seq: number, type: string, data: ChainedTrailEntry['data'] = {}): ChainedTrailEntry => ({
  seq,
  type,
  created_at: '2026-05-01T12:00:00.000Z',
  actor: 'guest',
  ip: '192.0.2.1',
  user_agent: 'Phone',
  data,
  prev_hash: seq === 1 ? null : `hash ${seq - 1}`,
  hash: `hash ${seq}`,
});
const ENTRIES = [entry(1, 'reservation.created', { source: 'direct' }), entry(2, 'reservation.signed')];
const MADE = entry(3, 'certificate.created', { pdf_sha256: 'pdf', certificate_id: 'sig_1' });

const SEALED = {
  audit: {
    certificate_id: 'sig_1',
    livemode: true,
    signer: {
      typed_name: 'Grace Hopper',
      signed_at: '2026-05-01T12:00:00.000Z',
      ip: '192.0.2.1',
      user_agent: 'Phone',
      email_confirmed: true,
      drawn_signature_sha256: 'drawn',
      photo_sha256: null,
    },
    content_hash: 'content',
    snapshot: {
      reservation: { id: 'res_1', guest_email: 'grace@example.com' },
      property: { id: 'prop_1' },
      consent: { version: '2026-11-22' },
      locale: 'en',
    },
    entries: ENTRIES,
  } as unknown as AuditTrailFile,
  canonical: '{"snapshot":1}',
  pdf_sha256: 'pdf',
  sealed_at: '2026-05-01T12:00:05Z',
  verify_token_hash: 'verify',
  copy_token_hash: 'copy',
} satisfies SealedEvidence;

const FACTS: StoredSignatureEvidence = {
  id: 'sig_1',
  livemode: true,
  reservation_id: 'res_1',
  property_id: 'prop_1',
  content_hash: 'content',
  signer_name: 'Grace Hopper',
  signer_email: 'grace@example.com',
  signed_at: '2026-05-01T12:00:00.000Z',
  signed_ip: '192.0.2.1',
  user_agent: 'Phone',
  consent_version: '2026-11-22',
  locale: 'en',
  otp_confirmed: true,
  // The seal's time has whole seconds, so the stored milliseconds do not count as a difference.
  sealed_at: '2026-05-01T12:00:05.678Z',
  pdf_sha256: 'pdf',
  verify_token_hash: 'verify',
  copy_token_hash: 'copy',
  drawn_signature_sha256: 'drawn',
  photo_sha256: null,
};
const STORED: StoredEvidence = {
  signature: FACTS,
  snapshot: { content_hash: 'content', canonical: '{"snapshot":1}' },
  trail: [...ENTRIES, MADE],
};

it('sealed and stored facts match, also after entries were added', () => {
  expect(findColumnsDifferingFromSealedEvidence(SEALED, STORED)).toEqual([]);
  expect(
    findColumnsDifferingFromSealedEvidence(SEALED, {
      ...STORED,
      trail: [...ENTRIES, entry(3, 'copy.opened'), { ...MADE, seq: 4 }],
    }),
  ).toEqual([]);
});

describe('a changed fact is reported by its column', () => {
  const columns: Partial<Record<keyof StoredSignatureEvidence, string>> = {
    livemode: 'mode',
    drawn_signature_sha256: 'drawn_signature',
    photo_sha256: 'photo',
  };
  it.each(Object.keys(FACTS) as (keyof StoredSignatureEvidence)[])('%s', (field) => {
    const before = FACTS[field];
    const changed =
      typeof before === 'boolean' ? !before : field === 'sealed_at' ? '2026-05-01T12:00:06.000Z' : 'other';
    const signature = { ...FACTS, [field]: changed };
    expect(findColumnsDifferingFromSealedEvidence(SEALED, { ...STORED, signature })).toEqual([
      `signatures.${columns[field] ?? field}`,
    ]);
  });
  it.each(['signer_email', 'signed_ip', 'user_agent', 'sealed_at', 'pdf_sha256', 'drawn_signature_sha256'] as const)(
    'a missing %s',
    (field) => {
      const found = findColumnsDifferingFromSealedEvidence(SEALED, {
        ...STORED,
        signature: { ...FACTS, [field]: null },
      });
      expect(found).toEqual([`signatures.${columns[field] ?? field}`]);
    },
  );
  it('except for a file that was sealed as damaged', () => {
    const signer = { ...SEALED.audit.signer, damaged: ['photo', 'drawn_signature'] as const };
    const sealed = { ...SEALED, audit: { ...SEALED.audit, signer: signer as unknown as AuditTrailFile['signer'] } };
    const signature = { ...FACTS, drawn_signature_sha256: 'unreadable', photo_sha256: 'unreadable' };
    expect(findColumnsDifferingFromSealedEvidence(sealed, { ...STORED, signature })).toEqual([]);
  });
});

describe('changed columns of the snapshot', () => {
  it.each([
    ['a missing snapshot', null, ['signatures.snapshot_id']],
    ['a changed text', { content_hash: 'content', canonical: '{}' }, ['snapshots.canonical']],
    ['a changed hash', { content_hash: 'other', canonical: '{"snapshot":1}' }, ['snapshots.content_hash']],
    ['another snapshot', { content_hash: 'other', canonical: '{}' }, ['snapshots.canonical', 'snapshots.content_hash']],
  ])('are reported for %s', (_name, snapshot, found) => {
    expect(findColumnsDifferingFromSealedEvidence(SEALED, { ...STORED, snapshot })).toEqual(found);
  });
});

describe('changed columns of the trail', () => {
  const [first, second] = ENTRIES as [ChainedTrailEntry, ChainedTrailEntry];
  it.each([
    ['a changed field', [{ ...first, ip: '192.0.2.9' }, second, MADE], ['trail_entries.1.ip']],
    ['changed data', [{ ...first, data: { source: 'channel_a' } }, second, MADE], ['trail_entries.1.data']],
    ['a removed last entry', [first, MADE], ['trail_entries.2.seq', 'trail_entries.2.type', 'trail_entries.2.data']],
    ['an empty trail', [], ['trail_entries.1', 'trail_entries.2', 'trail_entries.certificate.created']],
    ['a trail without the certificate’s entry', ENTRIES, ['trail_entries.certificate.created']],
    ['another file', [...ENTRIES, { ...MADE, data: { ...MADE.data, pdf_sha256: 'x' } }], ['trail_entries.3.data']],
    [
      'another certificate',
      [...ENTRIES, { ...MADE, data: { ...MADE.data, certificate_id: 'x' } }],
      ['trail_entries.3.data'],
    ],
  ] as [string, ChainedTrailEntry[], string[]][])('are reported for %s', (_name, trail, found) => {
    expect(findColumnsDifferingFromSealedEvidence(SEALED, { ...STORED, trail })).toEqual(expect.arrayContaining(found));
  });
});
