/** The input of a certificate: plain values that can be sent to a worker thread. */
import type { AgreementSnapshot } from '@/modules/snapshot/snapshot';
import type { ChainedTrailEntry } from '@/modules/trail/chain';

export interface SealingKey {
  /** A PKCS#12 with one RSA key and its certificate, and optionally the issuers' certificates. */
  p12: Uint8Array;
  passphrase: string;
  /** The key's certificate as PEM. Extracting it from the PKCS#12 takes a tenth of a second. */
  certificate_pem?: string;
}

/** A file that a guest submits with the signature. */
export type GuestSubmittedFileKind = 'photo' | 'drawn_signature';

export interface CertificateRenderInput {
  /** `sig_…` */
  certificate_id: string;
  /** False marks the document as a test. */
  livemode: boolean;
  snapshot: AgreementSnapshot;
  /** The snapshot's hash. Rendering throws when the hash does not match the snapshot. */
  content_hash: string;
  signer: {
    typed_name: string;
    drawn_signature_png?: Uint8Array | null;
    /** ISO 8601, UTC. */
    signed_at: string;
    ip: string | null;
    user_agent: string | null;
    /** Whether the guest confirmed the address with a one-time code. */
    email_confirmed?: boolean;
    /** The time of confirmation (ISO 8601) and the masked address. */
    email_code?: { confirmed_at: string; sent_to: string } | null;
    /** The hash of the photo taken at signing, if any. The document never contains the photo. */
    photo_sha256?: string | null;
    /**
     * The files that can no longer be read. The signature's trail entry still contains their
     * hashes.
     */
    damaged?: readonly GuestSubmittedFileKind[];
  };
  /** The trail entries up to the signature, oldest first, as an unbroken chain. */
  trail: readonly ChainedTrailEntry[];
  verify_url: string;
  branding: {
    /** `#rrggbb`, or null for the neutral default. */
    brand_color: string | null;
    /** PNG or JPEG bytes. Other formats are omitted. */
    logo?: Uint8Array | null;
  };
  sealing_key: SealingKey;
  /** The time of sealing (ISO 8601, UTC), in the seal and as the document's date. */
  sealed_at: string;
}

/** Requests a timestamp for a SHA-256 digest. Returns a DER TimeStampToken, or throws. */
export type TimestampAuthority = (digest: Uint8Array) => Promise<Uint8Array>;

export interface RenderedCertificate {
  pdf: Uint8Array;
  /** Lower-case hex SHA-256 of the sealed file. */
  sha256: string;
}
