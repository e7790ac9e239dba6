/** What a certificate is made from: plain, serialisable values, so that it can be handed to a worker thread. */
import type { Snapshot } from '@/modules/snapshot/snapshot';
import type { ChainedEntry } from '@/modules/trail/chain';

export interface SealingKey {
  /** PKCS#12 with one RSA key and its certificate, optionally with the chain above it. */
  p12: Uint8Array;
  passphrase: string;
  /** Its certificate, where it is kept beside it: to take it out of the PKCS#12 costs a tenth of a second. */
  certificate_pem?: string;
}

/** What a guest gives beside the name. */
export type GivenFile = 'photo' | 'drawn_signature';

export interface CertificateInput {
  /** `sig_…` */
  certificate_id: string;
  /** False marks the document as made in test mode. */
  livemode: boolean;
  snapshot: Snapshot;
  /** Must be the snapshot's hash; rendering refuses to seal a statement that is not true. */
  content_hash: string;
  signer: {
    typed_name: string;
    drawn_signature_png?: Uint8Array | null;
    /** ISO 8601, UTC. */
    signed_at: string;
    ip: string | null;
    user_agent: string | null;
    /** The guest confirmed a one-time code sent to the address. */
    email_confirmed?: boolean;
    /** When, ISO 8601, and at which address, masked. */
    email_code?: { confirmed_at: string; sent_to: string } | null;
    /** Of the photo that was taken at signing, if any. The photo is never part of the document. */
    photo_sha256?: string | null;
    /** What the guest gave and nobody can read any more: of it only the hash is left that the signature's entry names. */
    damaged?: readonly GivenFile[];
  };
  /** The trail up to and including the signature, first entry first. Must be an unbroken chain. */
  trail: readonly ChainedEntry[];
  verify_url: string;
  branding: {
    /** `#rrggbb`, or null for the neutral default. */
    brand_color: string | null;
    /** PNG or JPEG bytes; anything else is left out. */
    logo?: Uint8Array | null;
  };
  sealing_key: SealingKey;
  /** The time of sealing, ISO 8601, UTC; it becomes the signature's signing time and the document's date. */
  sealed_at: string;
}

/** Asks a time-stamping authority: SHA-256 digest in, DER of an RFC 3161 TimeStampToken out. Throws when there is none. */
export type TimestampAuthority = (digest: Uint8Array) => Promise<Uint8Array>;

export interface RenderedCertificate {
  pdf: Uint8Array;
  /** Lower-case hex SHA-256 of the sealed file. */
  sha256: string;
}
