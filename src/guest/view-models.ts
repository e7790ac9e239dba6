/**
 * The data of the guest pages: plain and serialisable, built by the modules' services and rendered
 * by `src/guest/pages`. These types cannot contain withheld arrival content: a withheld group has
 * only its name. Dates are `YYYY-MM-DD`, times are ISO 8601 in UTC, hashes are lower-case hex.
 */

import type {
  ArrivalGroupName,
  ArrivalGroupView,
  BrandView,
  PacketView,
  PreviousFee,
} from '@/modules/signing/packet-view';
import type { AcceptanceName } from '@/shared/guest-text/acceptances';
import type { GuestLocale } from '@/shared/guest-text/locale';
import type { MessageKey } from '@/shared/guest-text/translate';

export interface PageBase {
  locale: GuestLocale;
  /**
   * The page's own path and query without `lang`, for example `/sign/abc`. Forms post to it, and
   * language links add `lang`.
   */
  path: string;
  /** Whether the page is in test mode, in which a signature is not evidence. */
  test_mode?: boolean;
  /** The host's sender details, on one line. */
  sender?: string | null;
}

export interface StayView {
  checkin_date: string;
  checkout_date: string;
}

/**
 * Changes since the guest opened the page, in addition to the marks on items (packet-diff.ts
 * computes both).
 */
export interface PacketChanges {
  welcome_message: boolean;
  safety_notes: boolean;
  removed_rules: string[];
  removed_fees: PreviousFee[];
  removed_arrival: ArrivalGroupName[];
  /** Whether any text has a mark. Changes outside the packet's texts have none. */
  marked: boolean;
}

export type SignField =
  | 'typed_name'
  | 'consent'
  | `accept_${AcceptanceName}`
  | 'drawn_signature'
  | 'photo'
  | 'otp_code';
export type ContactField = 'email' | 'otp_code';
type ErrorName<K extends MessageKey> = K extends `error.${infer Name}` ? Name : never;
/** The codes of `error.*` in the message files. */
export type FieldErrorCode = ErrorName<MessageKey>;

export interface FieldError<Field extends string> {
  /** The field. Null for the whole form. */
  field: Field | null;
  code: FieldErrorCode;
}

/** The step for the one-time code. `sent` needs `expires_in_minutes`. */
export interface CodeStepView {
  state: 'not_sent' | 'sent' | 'confirmed';
  /** The masked address (shared/guest-text/mask.ts, `maskEmail`). */
  sent_to: string;
  expires_in_minutes: number;
}

export interface AcceptanceView {
  name: AcceptanceName;
  text: string;
}

export interface SignPageModel extends PageBase {
  brand: BrandView;
  /** Null when the booking has no name. */
  guest_name: string | null;
  stay: StayView;
  packet: PacketView;
  /** SHA-256 of the displayed content, posted back with the signature. */
  displayed_hash: string;
  selfie_required: boolean;
  /** Statements that the host wants accepted separately. */
  acceptances: readonly AcceptanceView[];
  /** The previously posted photo, as a data URL. */
  photo?: string | null;
  /** Null when the property requires no code. */
  code: CodeStepView | null;
  /**
   * The posted values when the page is shown again. They never include an acceptance, because the
   * guest must accept each on the page shown now.
   */
  values: { typed_name: string; otp_code: string } | null;
  errors: FieldError<SignField>[];
  /** Set when the packet has changed since it was shown. */
  changes: PacketChanges | null;
  /** Whether the guest has just sent the host a message instead of signing. */
  replied?: boolean;
}

/**
 * The review step for guests without JavaScript or <dialog>. It confirms the same form, posted with
 * `intent=review`.
 */
export interface ReviewPageModel extends PageBase {
  brand: BrandView;
  stay: StayView;
  counts: { rules: number; fees: number };
  displayed_hash: string;
  values: { typed_name: string; otp_code: string };
  /** The statements that the guest accepted. */
  acceptances: readonly AcceptanceView[];
  /** Data URLs, from a browser with scripts but without <dialog>. */
  photo: string | null;
  drawn_signature: string | null;
}

export interface PdfView {
  state: 'ready' | 'preparing';
  /** The URL of the PDF. Null until the PDF is ready. */
  url: string | null;
}

export interface DonePageModel extends PageBase {
  /**
   * Whether the guest has returned. False on the page right after signing, which does not count as
   * a visit.
   */
  revisit: boolean;
  brand: BrandView;
  stay: StayView;
  /** IANA zone of the property, for the time of signing. Null means UTC. */
  timezone: string | null;
  /**
   * `guest` signed here. `manual` means that the host marked the reservation as signed, without a
   * name, copy or certificate.
   */
  signed: { by: 'guest'; name: string; at: string } | { by: 'manual'; at: string };
  arrival: ArrivalGroupView[];
  safety_notes: string | null;
  /** Null when revoked, or for a manual signature. */
  copy_url: string | null;
  /** Null when there will be no certificate. */
  pdf: PdfView | null;
}

export interface ContactPageModel extends PageBase {
  brand: BrandView;
  stay: StayView;
  step: 'email' | 'code';
  /** The entered address: shown again in step `email`, hidden in step `code`. */
  email: string;
  /** The minutes for which the code is valid. */
  expires_in_minutes: number;
  errors: FieldError<ContactField>[];
}

export type LinkState =
  | 'replaced'
  | 'cancelled'
  | 'expired'
  | 'unknown'
  | 'error'
  | 'form_refused'
  | 'rate_limited'
  | 'copy_revoked'
  | 'copy_redacted'
  | 'copy_altered';

export interface LinkStatePageModel extends PageBase {
  state: LinkState;
  /** The property's branding. Null when the link must not reveal a property. */
  brand: BrandView | null;
  /**
   * The safety details, which are shown in every state (DESIGN: safety details are always visible).
   */
  safety_notes: string | null;
  /** The request id, in state `error`. */
  reference: string | null;
  /**
   * The day of the installation's last restore from a backup, for `unknown` certificates. Otherwise
   * null.
   */
  restored_on: string | null;
}

export interface CopyPageModel extends PageBase {
  brand: BrandView;
  stay: StayView;
  timezone: string | null;
  signer_name: string;
  signed_at: string;
  /** The exact text that was signed. */
  statement: string;
  consent_version: string;
  packet: PacketView;
  /** A `data:image/png` URL. */
  drawn_signature: string | null;
  content_hash: string;
  pdf_sha256: string | null;
  pdf: PdfView | null;
  verify_url: string | null;
}

export interface VerifyPageModel extends PageBase {
  brand: BrandView | null;
  timezone: string | null;
  signed_at: string;
  /** The guest's name, masked by `maskName`. Null after redaction. */
  masked_name: string | null;
  content_hash: string | null;
  content_state: 'intact' | 'mismatch' | 'redacted';
  /** The stored columns, except those of the history, that differ from the sealed file. */
  differences: readonly string[];
  /**
   * The history. `sealed` is the number of its entries in the sealed file, or null without a
   * readable file.
   */
  chain: { state: 'intact'; entries: number; sealed: number | null } | { state: 'broken'; entry: number };
  seal:
    | {
        state: 'sealed';
        sealed_at: string;
        pdf_sha256: string;
        /** The timestamp. Null when the time is the server's own. */
        timestamp: { authority: string; time: string; trust: 'known' | 'unknown' | 'implausible' } | null;
        /** The certificate that sealed the file. All certificates are at `pem_url`. */
        sealer: { fingerprint_sha256: string; valid_from: string; valid_to: string };
        pem_url: string;
      }
    | { state: 'invalid'; pdf_sha256: string | null }
    | { state: 'pending' }
    | { state: 'removed' }
    | { state: 'none' };
  /** The sealed file's entry in the public log. `number` counts from 1. */
  log: { state: 'included'; number: number; proof_url: string; checkpoint_url: string } | { state: 'missing' | 'none' };
  redacted_at: string | null;
}
