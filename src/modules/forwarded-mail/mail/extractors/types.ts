/** The types that the extractors share. */
import type { BookingChannel } from '@/modules/sync-sources/plan/match-bookings';
import type { ForwardedMailContent } from '../parse-forwarded';
import type { ParsedLabelledMail } from './labels';

export type { BookingChannel };

/** The domains of each channel's mail and relay addresses. Subdomains are included. */
export type ChannelMailDomains = Readonly<Record<BookingChannel, readonly string[]>>;

/** One body of a mail (text or HTML), with its labels. */
export interface LabelledMailBody {
  readonly mail: ForwardedMailContent;
  readonly text: string;
  readonly labels: ParsedLabelledMail;
}

/** Facts as written in the mail, before dates are parsed and addresses are checked. */
export interface RawBookingFieldsFromMail {
  readonly guest_name: string | null;
  readonly guest_email: string | null;
  readonly checkin: string | null;
  readonly checkout: string | null;
  /** Check-in and check-out in one text. */
  readonly range: string | null;
  readonly reservation_code: string | null;
  /** Every code in the mail, including codes that the guest wrote. */
  readonly codes: readonly string[];
}

export type MailFieldExtractor = (reading: LabelledMailBody) => RawBookingFieldsFromMail;
