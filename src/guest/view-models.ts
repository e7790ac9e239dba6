/**
 * The data of the guest pages: plain and serialisable. The modules' services build it, and
 * `src/guest/pages` renders it. These types cannot contain withheld arrival content: a withheld
 * group has only its name. Dates are `YYYY-MM-DD`, times are ISO 8601 in UTC, hashes are lower-case
 * hex.
 */

import type {
  ArrivalDetailGroupName,
  ArrivalDetailGroupView,
  PacketView,
  PreviousFee,
  PropertyBrandView,
} from '@/modules/signing/packet-view';
import type { AcceptanceStatementName } from '@/shared/guest-text/acceptances';
import type { GuestLocale } from '@/shared/guest-text/locale';
import type { GuestTextKey } from '@/shared/guest-text/translate';

export interface BasePageModel {
  locale: GuestLocale;
  /**
   * The page's own path and query without `lang`, for example `/sign/abc`. Forms post to this path,
   * and language links add `lang`.
   */
  path: string;
  /** Whether the page is in test mode. A signature in test mode is not evidence. */
  test_mode?: boolean;
  /** The host's sender details, on one line. */
  sender?: string | null;
}

export interface StayDatesView {
  checkin_date: string;
  checkout_date: string;
}

/**
 * Changes of the packet since the guest opened the page, in addition to the marks on its changed
 * items. packet-diff.ts computes the changes and the marks.
 */
export interface PacketChangesSincePageOpened {
  welcome_message: boolean;
  safety_notes: boolean;
  removed_rules: string[];
  removed_fees: PreviousFee[];
  removed_arrival: ArrivalDetailGroupName[];
  /** Whether any item or text is marked as new or changed. */
  marked: boolean;
}

export type SignFormField =
  | 'typed_name'
  | 'consent'
  | `accept_${AcceptanceStatementName}`
  | 'drawn_signature'
  | 'photo'
  | 'otp_code';
export type ContactField = 'email' | 'otp_code';
type ErrorName<K extends GuestTextKey> = K extends `error.${infer Name}` ? Name : never;
/** The codes of `error.*` in the message files. */
export type FieldErrorCode = ErrorName<GuestTextKey>;

export interface FieldError<Field extends string> {
  /** The invalid field. Null when the error concerns the whole form. */
  field: Field | null;
  code: FieldErrorCode;
}

/** The step for the one-time code. */
export interface OneTimeCodeStepView {
  state: 'not_sent' | 'sent' | 'confirmed';
  /** The guest's address, masked by `maskEmailAddress` (shared/guest-text/mask.ts). */
  sent_to: string;
  expires_in_minutes: number;
}

export interface AcceptanceStatementView {
  name: AcceptanceStatementName;
  text: string;
}

export interface SignPageModel extends BasePageModel {
  brand: PropertyBrandView;
  /** The guest's name. Null when the booking has none. */
  guest_name: string | null;
  stay: StayDatesView;
  packet: PacketView;
  /** SHA-256 of the displayed content. The form posts it back with the signature. */
  displayed_hash: string;
  selfie_required: boolean;
  /** Statements that the host wants accepted separately. */
  acceptances: readonly AcceptanceStatementView[];
  /** The previously posted photo, as a data URL. */
  photo?: string | null;
  /** Null when the property requires no code. */
  code: OneTimeCodeStepView | null;
  /**
   * The posted values when the form is returned. Acceptances are never included, because the guest
   * must accept the current content.
   */
  values: { typed_name: string; otp_code: string } | null;
  errors: FieldError<SignFormField>[];
  /** The changes to the packet since the guest opened the page. Null when nothing changed. */
  changes: PacketChangesSincePageOpened | null;
  /** Whether the guest has just sent the host a message instead of signing. */
  replied?: boolean;
}

/**
 * The review step for guests without JavaScript or <dialog>. The form was posted with
 * `intent=review`, and this page repeats its fields.
 */
export interface SignReviewPageModel extends BasePageModel {
  brand: PropertyBrandView;
  stay: StayDatesView;
  counts: { rules: number; fees: number };
  displayed_hash: string;
  values: { typed_name: string; otp_code: string };
  /** The statements that the guest accepted. */
  acceptances: readonly AcceptanceStatementView[];
  /** The posted photo as a data URL. */
  photo: string | null;
  drawn_signature: string | null;
}

export interface PdfDownloadView {
  state: 'ready' | 'preparing';
  /** The URL of the PDF. Null until the PDF is ready. */
  url: string | null;
}

export interface SigningDonePageModel extends BasePageModel {
  /**
   * Whether this is a later visit. False on the page right after signing, which does not count as a
   * visit.
   */
  revisit: boolean;
  brand: PropertyBrandView;
  stay: StayDatesView;
  /** IANA zone of the property, for the time of signing. Null means UTC. */
  timezone: string | null;
  /**
   * `guest` means that the guest signed here. `manual` means that the host marked the reservation
   * as signed, without a name, copy or certificate.
   */
  signed: { by: 'guest'; name: string; at: string } | { by: 'manual'; at: string };
  arrival: ArrivalDetailGroupView[];
  safety_notes: string | null;
  /** Null when the copy is revoked, or for a manual signature. */
  copy_url: string | null;
  /** Null when there will be no certificate. */
  pdf: PdfDownloadView | null;
}

export interface ContactPageModel extends BasePageModel {
  brand: PropertyBrandView;
  stay: StayDatesView;
  step: 'email' | 'code';
  /**
   * The entered address. Step `email` shows it in the field, and step `code` has it in a hidden
   * field.
   */
  email: string;
  /** The number of minutes for which the code is valid. */
  expires_in_minutes: number;
  errors: FieldError<ContactField>[];
}

export type GuestLinkState =
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

export interface GuestLinkStatePageModel extends BasePageModel {
  state: GuestLinkState;
  /** The property's branding. Null when the link must not reveal a property. */
  brand: PropertyBrandView | null;
  /** The safety details. Every state shows them (design: safety details are always visible). */
  safety_notes: string | null;
  /** The id of the logged error, in state `error`. */
  reference: string | null;
  /**
   * The day of the installation's last restore from a backup. Set only for unknown certificates.
   */
  restored_on: string | null;
}

export interface SignedCopyPageModel extends BasePageModel {
  brand: PropertyBrandView;
  stay: StayDatesView;
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
  pdf: PdfDownloadView | null;
  verify_url: string | null;
}

export interface VerifyPageModel extends BasePageModel {
  brand: PropertyBrandView | null;
  timezone: string | null;
  signed_at: string;
  /** The guest's name, masked by `maskGuestName`. Null after redaction. */
  masked_name: string | null;
  content_hash: string | null;
  content_state: 'intact' | 'mismatch' | 'redacted';
  /**
   * Names of stored columns that differ from the sealed file. Columns of the audit trail are not
   * included.
   */
  differences: readonly string[];
  /**
   * The hash chain of the audit trail. `sealed` is the number of its entries in the sealed file, or
   * null without a readable file.
   */
  chain: { state: 'intact'; entries: number; sealed: number | null } | { state: 'broken'; entry: number };
  seal:
    | {
        state: 'sealed';
        sealed_at: string;
        pdf_sha256: string;
        /** The authority's timestamp. Null when the time in the seal is the server's own. */
        timestamp: { authority: string; time: string; trust: 'known' | 'unknown' | 'implausible' } | null;
        /**
         * The certificate that sealed the file. The file at `pem_url` contains all certificates.
         */
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
