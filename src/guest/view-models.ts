/**
 * What the guest pages show: plain serialisable data, built by the modules' services and rendered by `src/guest/pages`.
 * Withheld arrival content has no place in these types: a held group is only its name.
 *
 * Dates are `YYYY-MM-DD`; times are ISO 8601 in UTC; hashes are lower-case hex.
 */

import type {
  ArrivalGroupName,
  ArrivalGroupView,
  BrandView,
  FeeBefore,
  PacketView,
} from '@/modules/signing/packet-view';
import type { AcceptanceName } from '@/shared/guest-text/acceptances';
import type { GuestLocale } from '@/shared/guest-text/locale';
import type { MessageKey } from '@/shared/guest-text/messages/types';

export interface PageBase {
  locale: GuestLocale;
  /** The page's own path and query without `lang`, for example `/sign/abc`: forms post to it and language links extend it. */
  path: string;
  /** What is signed in test mode is not evidence. */
  test_mode?: boolean;
  /** Who stands behind the property, on one line. */
  sender?: string | null;
}

export interface StayView {
  checkin_date: string;
  checkout_date: string;
}

/** What changed since the guest opened the page, beyond the marks on the items themselves (packet-diff.ts makes both). */
export interface PacketChanges {
  welcome_message: boolean;
  safety_notes: boolean;
  removed_rules: string[];
  removed_fees: FeeBefore[];
  removed_arrival: ArrivalGroupName[];
  /** Whether any of it is marked: what is not part of the packet's texts cannot be. */
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
  /** Null: the whole form. */
  field: Field | null;
  code: FieldErrorCode;
}

/** The one-time code. `sent` needs `expires_in_minutes`. */
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
  /** Null when the booking carries no name. */
  guest_name: string | null;
  stay: StayView;
  packet: PacketView;
  /** SHA-256 of what is displayed; posted back with the signature. */
  displayed_hash: string;
  selfie_required: boolean;
  /** What the host asks the guest to accept one by one. */
  acceptances: readonly AcceptanceView[];
  /** The photo that was posted already, as a data URL. */
  photo?: string | null;
  /** Null when the property does not ask for a code. */
  code: CodeStepView | null;
  /** What was posted, when the page is shown again. Never an acceptance: each is an action on the page shown now. */
  values: { typed_name: string; otp_code: string } | null;
  errors: FieldError<SignField>[];
  /** Set when the packet changed since it was shown. */
  changes: PacketChanges | null;
  /** The guest has just said something to the host instead. */
  replied?: boolean;
}

/** The review step for guests without JavaScript or <dialog>: the same form, posted with `intent=review`, is confirmed here. */
export interface ReviewPageModel extends PageBase {
  brand: BrandView;
  stay: StayView;
  counts: { rules: number; fees: number };
  displayed_hash: string;
  values: { typed_name: string; otp_code: string };
  /** Those that the guest ticked. */
  acceptances: readonly AcceptanceView[];
  /** Data URLs, from a browser that runs scripts and knows no dialog. */
  photo: string | null;
  drawn_signature: string | null;
}

export interface PdfView {
  state: 'ready' | 'preparing';
  /** Needed when ready. */
  url: string | null;
}

export interface DonePageModel extends PageBase {
  /** The guest came back. False on the page that answers the signature itself, which is no visit of its own. */
  revisit: boolean;
  brand: BrandView;
  stay: StayView;
  /** IANA zone of the property, for the time of signing; null means UTC. */
  timezone: string | null;
  /** `guest` signed here; `manual` means the host marked the reservation as signed: no name, copy or certificate. */
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
  /** What was entered: shown again in step `email`, kept hidden in step `code`. */
  email: string;
  /** Minutes the code works. */
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
  /** Null when the link tells nothing about a property. */
  brand: BrandView | null;
  /** Shown whatever the state (DESIGN: safety details are always visible). */
  safety_notes: string | null;
  /** The request id, on `error`. */
  reference: string | null;
  /** The day of the installation's last restore from a backup, on `unknown` for a certificate; else null. */
  restored_on: string | null;
}

export interface CopyPageModel extends PageBase {
  brand: BrandView;
  stay: StayView;
  timezone: string | null;
  signer_name: string;
  signed_at: string;
  /** What was signed, word for word. */
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
  /** `manual`: the host marked it as signed. */
  kind: 'guest' | 'manual';
  signed_at: string;
  /** From `maskName`; null after redaction. */
  masked_name: string | null;
  content_hash: string | null;
  content_state: 'intact' | 'mismatch' | 'redacted';
  /** Stored columns, but for the history's, that say something else than the sealed file. */
  differences: readonly string[];
  /** `sealed`: how many of the entries are in the sealed file; null when there is none that can be read. */
  chain: { state: 'intact'; entries: number; sealed: number | null } | { state: 'broken'; entry: number };
  seal:
    | {
        state: 'sealed';
        sealed_at: string;
        pdf_sha256: string;
        /** Null: the time is the server's own. */
        timestamp: { authority: string; time: string; trust: 'known' | 'unknown' | 'implausible' } | null;
        /** The certificate that sealed; all of them are at `pem_url`. */
        sealer: { fingerprint_sha256: string; valid_from: string; valid_to: string };
        pem_url: string;
      }
    | { state: 'invalid'; pdf_sha256: string | null }
    | { state: 'pending' }
    | { state: 'removed' }
    | { state: 'none' };
  /** The sealed file's entry of the public log; `number` counts from 1. */
  log: { state: 'included'; number: number; proof_url: string; checkpoint_url: string } | { state: 'missing' | 'none' };
  redacted_at: string | null;
}
