/** The input of a certificate: plain, serializable values for a worker thread. */
import type { Snapshot } from '@/modules/snapshot/snapshot';
import type { ChainedEntry } from '@/modules/trail/chain';

export interface SealingKey {
  /** PKCS#12 with one RSA key and its certificate, optionally with the issuing chain. */
  p12: Uint8Array;
  passphrase: string;
  /** The stored certificate. Extracting it from the PKCS#12 takes a tenth of a second. */
  certificate_pem?: string;
}

/** A file that a guest submits with the signature. */
export type GuestFile = 'photo' | 'drawn_signature';

export interface CertificateInput {
  /** `sig_…` */
  certificate_id: string;
  /** False marks the document as a test. */
  livemode: boolean;
  snapshot: Snapshot;
  /** Must be the snapshot's hash. Rendering refuses to seal a false statement. */
  content_hash: string;
  signer: {
    typed_name: string;
    drawn_signature_png?: Uint8Array | null;
    /** ISO 8601, UTC. */
    signed_at: string;
    ip: string | null;
    user_agent: string | null;
    /** Whether the guest confirmed a one-time code sent to the address. */
    email_confirmed?: boolean;
    /** The time, ISO 8601, and the masked address. */
    email_code?: { confirmed_at: string; sent_to: string } | null;
    /** The hash of the photo taken at signing, if any. The photo is never part of the document. */
    photo_sha256?: string | null;
    /** The files that can no longer be read. Only their hash from the signature's entry is left. */
    damaged?: readonly GuestFile[];
  };
  /** The trail up to and including the signature, oldest first. Must be an unbroken chain. */
  trail: readonly ChainedEntry[];
  verify_url: string;
  branding: {
    /** `#rrggbb`, or null for the neutral default. */
    brand_color: string | null;
    /** PNG or JPEG bytes. Anything else is omitted. */
    logo?: Uint8Array | null;
  };
  sealing_key: SealingKey;
  /** The time of sealing, ISO 8601, UTC: the signature's signing time and the document's date. */
  sealed_at: string;
}

/** Requests a timestamp for a SHA-256 digest. Returns a DER TimeStampToken, or throws. */
export type TimestampAuthority = (digest: Uint8Array) => Promise<Uint8Array>;

export interface RenderedCertificate {
  pdf: Uint8Array;
  /** Lower-case hex SHA-256 of the sealed file. */
  sha256: string;
}
