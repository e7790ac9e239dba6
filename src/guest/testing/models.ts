/** Complete sample view models. Tests override only the fields that matter to them. */
import type { PacketView } from '@/modules/signing/packet-view';
import type {
  ContactPageModel,
  GuestLinkStatePageModel,
  SignedCopyPageModel,
  SigningDonePageModel,
  SignPageModel,
  SignReviewPageModel,
  VerifyPageModel,
} from '../view-models';

export const SAMPLE_SNAPSHOT_CONTENT_HASH = 'a3f1c0de9b8472651f0e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978';
export const SAMPLE_PDF_HASH = '5f70dcb3a98d1e2f4c6b8a7d9e0f1c2b3a4d5e6f708192a3b4c5d6e7f8091a2b';

const brand = { property_name: 'Harbour Loft', address: '12 Quay Street', logo_url: null, brand_color: '#0a6ebd' };
const stay = { checkin_date: '2026-07-03', checkout_date: '2026-07-07' };

export const samplePacketView: PacketView = {
  welcome_message: 'Hello Ada,\n\nwelcome to the loft.\nGuide: https://example.com/guide.',
  rules: [
    { id: 'rule_1', text: 'Quiet from 10 pm to 8 am.', category: 'quiet_hours' },
    { id: 'rule_2', text: 'No smoking inside.', category: 'Smoking' },
    { id: 'rule_3', text: 'Keep music low on the terrace.', category: 'quiet_hours' },
    { id: 'rule_4', text: 'Feed the cat.', category: 'Our cat' },
  ],
  fees: [
    {
      id: 'fee_1',
      label: 'Cleaning',
      amount_cents: 8500,
      unit: 'per_stay',
      description: null,
      type: 'mandatory_cleaning',
    },
    {
      id: 'fee_2',
      label: 'Dog',
      amount_cents: 3050,
      unit: 'per pet',
      description: 'On a lead.',
      type: 'conditional_pet',
    },
    { id: 'fee_3', label: 'Firewood', amount_cents: 1200, unit: 'per basket', description: null, type: null },
  ],
  currency: 'USD',
  arrival: [
    { group: 'wifi', state: 'visible', network: 'Loft-5G', password: 'saltwater' },
    { group: 'door_code', state: 'held', until: 'signing' },
    { group: 'parking_notes', state: 'held', until: 'host' },
  ],
  safety_notes: 'Extinguisher: left of the kitchen door.',
};

export const sampleSignPageModel: SignPageModel = {
  locale: 'en',
  path: '/sign/tok_abc',
  brand,
  guest_name: 'Ada Lovelace',
  stay,
  packet: samplePacketView,
  displayed_hash: SAMPLE_SNAPSHOT_CONTENT_HASH,
  selfie_required: false,
  acceptances: [],
  code: null,
  values: null,
  errors: [],
  changes: null,
};

export const sampleReviewPageModel: SignReviewPageModel = {
  locale: 'en',
  path: '/sign/tok_abc',
  brand,
  stay,
  counts: { rules: 4, fees: 3 },
  displayed_hash: SAMPLE_SNAPSHOT_CONTENT_HASH,
  values: { typed_name: 'Ada Lovelace', otp_code: '' },
  acceptances: [],
  photo: null,
  drawn_signature: null,
};

export const sampleSigningDonePageModel: SigningDonePageModel = {
  locale: 'en',
  path: '/sign/tok_abc',
  revisit: true,
  brand,
  stay,
  timezone: 'Europe/London',
  signed: { by: 'guest', name: 'Ada Lovelace', at: '2026-06-20T14:32:10Z' },
  arrival: [
    { group: 'wifi', state: 'visible', network: 'Loft-5G', password: 'saltwater' },
    { group: 'door_code', state: 'visible', text: '4711#' },
  ],
  safety_notes: samplePacketView.safety_notes,
  copy_url: 'https://threshold.example/c/tok_copy',
  pdf: { state: 'ready', url: '/c/tok_copy/certificate.pdf' },
};

export const sampleContactPageModel: ContactPageModel = {
  locale: 'en',
  path: '/sign/tok_share',
  brand,
  stay,
  step: 'email',
  email: '',
  expires_in_minutes: 10,
  errors: [],
};

export const sampleGuestLinkStatePageModel: GuestLinkStatePageModel = {
  restored_on: null,
  locale: 'en',
  path: '/sign/tok_old',
  state: 'replaced',
  brand,
  safety_notes: null,
  reference: null,
};

export const sampleSignedCopyPageModel: SignedCopyPageModel = {
  locale: 'en',
  path: '/c/tok_copy',
  brand,
  stay,
  timezone: 'Europe/London',
  signer_name: 'Ada Lovelace',
  signed_at: '2026-06-20T14:32:10Z',
  statement: 'I have read this and accept it.',
  consent_version: '2026-11-21',
  packet: { ...samplePacketView, arrival: [] },
  drawn_signature: null,
  content_hash: SAMPLE_SNAPSHOT_CONTENT_HASH,
  pdf_sha256: SAMPLE_PDF_HASH,
  pdf: { state: 'ready', url: '/c/tok_copy/certificate.pdf' },
  verify_url: '/verify/tok_verify',
};

export const sampleVerifyPageModel: VerifyPageModel = {
  locale: 'en',
  path: '/verify/tok_verify',
  brand,
  timezone: 'Europe/London',
  signed_at: '2026-06-20T14:32:10Z',
  masked_name: 'A••• L•••',
  content_hash: SAMPLE_SNAPSHOT_CONTENT_HASH,
  content_state: 'intact',
  chain: { state: 'intact', entries: 9, sealed: 7 },
  differences: [],
  seal: {
    state: 'sealed',
    sealed_at: '2026-06-20T14:32:14Z',
    pdf_sha256: SAMPLE_PDF_HASH,
    timestamp: null,
    sealer: {
      fingerprint_sha256: SAMPLE_SNAPSHOT_CONTENT_HASH.split('').reverse().join(''),
      valid_from: '2026-01-01T00:00:00Z',
      valid_to: '2046-01-01T00:00:00Z',
    },
    pem_url: '/.well-known/threshold-seal.pem',
  },
  log: {
    state: 'included',
    number: 12,
    proof_url: '/verify/tok_verify/inclusion.tlog-proof',
    checkpoint_url: '/.well-known/threshold-log/checkpoint',
  },
  redacted_at: null,
};
