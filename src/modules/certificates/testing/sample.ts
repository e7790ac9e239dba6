/** A realistic certificate for tests, with variations. */
import {
  type AgreementSnapshot,
  type AgreementSnapshotInput,
  buildAgreementSnapshot,
  hashAgreementSnapshot,
} from '@/modules/snapshot/snapshot';
import { appendChainedTrailEntry, type ChainedTrailEntry, type TrailEntry } from '@/modules/trail/chain';
import type { CertificateRenderInput, SealingKey } from '../types';

export const SAMPLE_AGREEMENT_SNAPSHOT_INPUT: AgreementSnapshotInput = {
  locale: 'en',
  property: {
    id: 'prop_01jd3k2m9x',
    name: 'Casa da Ribeira',
    address: 'Rua do Almada 12, Porto',
    timezone: 'Europe/Lisbon',
  },
  reservation: {
    id: 'res_01jd3k2m9y',
    guest_name: 'Łukasz Müller-Ødegård',
    guest_email: 'lukasz@example.com',
    checkin_date: '2026-03-01',
    checkout_date: '2026-03-05',
    source: 'direct',
  },
  packet: {
    id: 'pkt_01jd3k2m9z',
    name: 'House rules, winter',
    currency: 'EUR',
    welcome_message:
      'Welcome to Casa da Ribeira! We are glad you are here.\n\nPlease read the rules below before you arrive. The house is old and the walls are thin; our neighbours are lovely and we would like to keep it so. 🚭🐕',
    rules: [
      { id: 'rule_0001', text: 'Quiet hours are from 22:00 to 08:00, also on the terrace.', category: 'Noise' },
      { id: 'rule_0002', text: 'No parties or events.', category: 'Noise' },
      { id: 'rule_0003', text: 'No smoking inside. Ashtrays are on the terrace.', category: 'Smoking' },
      { id: 'rule_0004', text: 'One small dog is welcome when it was announced with the booking.', category: 'Pets' },
      { id: 'rule_0005', text: 'At most four people may stay overnight.', category: null },
      {
        id: 'rule_0006',
        text: 'Take the rubbish to the containers at the corner on the day you leave.',
        category: 'Leaving',
      },
    ],
    fees: [
      {
        id: 'fee_0001',
        label: 'Final cleaning',
        amount_cents: 6500,
        unit: 'per stay',
        description: null,
        type: 'mandatory_cleaning',
      },
      {
        id: 'fee_0002',
        label: 'Dog',
        amount_cents: 1500,
        unit: 'per night',
        description: 'One small dog at most.',
        type: 'conditional_pet',
      },
      {
        id: 'fee_0003',
        label: 'Late check-out',
        amount_cents: 4000,
        unit: 'once',
        description: 'After 11:00 without having asked before, until 15:00 at the latest.',
        type: 'conditional_late_checkout',
      },
      { id: 'fee_0004', label: 'Bicycle', amount_cents: 1000, unit: 'per day', description: null, type: null },
    ],
    safety_notes: 'Fire extinguisher under the sink. Emergency number: 112. The nearest hospital is Santo António.',
    arrival_details: {
      wifi: { network: 'ribeira', password: 'never-print-me' },
      door_code: '4711#',
      checkin_notes: '',
      parking_notes: 'Garage B, place 7',
    },
    arrival_release: { wifi: 'before_signing', door_code: 'after_signing', parking_notes: 'manual' },
  },
  consent: {
    version: '2025-01',
    locale: 'en',
    text: 'I agree to sign this document electronically. My typed name is my signature and has the same effect as one on paper. I can ask for a copy on paper, and I can refuse and sign on paper instead.',
  },
  acknowledgement: {
    version: '2025-01',
    locale: 'en',
    text: 'I have read the house rules, the fees and the safety notes, and I agree to follow them and to pay the fees that apply.',
    photo_required: false,
  },
};

export function buildSampleAgreementSnapshot(changes: Partial<AgreementSnapshotInput> = {}): AgreementSnapshot {
  return buildAgreementSnapshot({ ...SAMPLE_AGREEMENT_SNAPSHOT_INPUT, ...changes });
}

export function chainTrailEntries(entries: readonly Omit<TrailEntry, 'seq'>[]): ChainedTrailEntry[] {
  const trail: ChainedTrailEntry[] = [];
  for (const entry of entries) trail.push(appendChainedTrailEntry(trail.at(-1) ?? null, entry));
  return trail;
}

export const SAMPLE_USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

export function buildSampleTrail(content_hash: string): ChainedTrailEntry[] {
  const guest = { actor: 'guest', ip: '203.0.113.7', user_agent: SAMPLE_USER_AGENT };
  const host = { actor: 'api_key key_01jd3k2m00', ip: null, user_agent: null };
  return chainTrailEntries([
    { type: 'reservation.created', created_at: '2026-02-20T09:00:00.000Z', ...host, data: { source: 'direct' } },
    { type: 'reservation.sent', created_at: '2026-02-20T09:00:01.250Z', ...host, data: { to: 'lukasz@example.com' } },
    { type: 'reservation.clicked', created_at: '2026-02-21T18:30:12.007Z', ...guest, data: {} },
    {
      type: 'reservation.arrival_details_held',
      created_at: '2026-02-21T18:30:12.007Z',
      actor: 'system',
      ip: null,
      user_agent: null,
      data: { withheld: ['door_code', 'parking_notes'] },
    },
    { type: 'consent.given', created_at: '2026-02-21T18:33:40.512Z', ...guest, data: { version: '2025-01' } },
    { type: 'reservation.signed', created_at: '2026-02-21T18:33:40.512Z', ...guest, data: { content_hash } },
  ]);
}

/**
 * Returns a complete input. `source` overrides what the guest saw, and `changes` overrides the
 * rest.
 */
export function buildSampleCertificateInput(
  sealing_key: SealingKey,
  changes: Partial<CertificateRenderInput> = {},
  source: Partial<AgreementSnapshotInput> = {},
): CertificateRenderInput {
  const snapshot = buildSampleAgreementSnapshot(source);
  const content_hash = hashAgreementSnapshot(snapshot);
  return {
    certificate_id: 'sig_01jd3k2mab',
    livemode: true,
    snapshot,
    content_hash,
    signer: {
      typed_name: snapshot.reservation.guest_name,
      signed_at: '2026-02-21T18:33:40.512Z',
      ip: '203.0.113.7',
      user_agent: SAMPLE_USER_AGENT,
    },
    trail: buildSampleTrail(content_hash),
    verify_url: 'https://stay.example.com/verify/vt_7Kx2mQ9sLw4RfT8pYh3NcZ6b',
    branding: { brand_color: '#0f766e' },
    sealing_key,
    sealed_at: '2026-02-21T18:33:42.000Z',
    ...changes,
  };
}
