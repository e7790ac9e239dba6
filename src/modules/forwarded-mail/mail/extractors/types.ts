/** Types of the extractors. */
import type { Channel } from '@/modules/sync-sources/plan/match-bookings';
import type { MailContent } from '../parse-forwarded';
import type { LabelledMail } from './labels';

export type { Channel };

/** The domains of a channel's mail and relay addresses, including subdomains. */
export type ChannelDomains = Readonly<Record<Channel, readonly string[]>>;

/** One body of a mail, with its labels. */
export interface MailReading {
  readonly mail: MailContent;
  readonly text: string;
  readonly labels: LabelledMail;
}

/** Facts as the mail writes them, before dates are parsed and addresses checked. */
export interface RawFields {
  readonly guest_name: string | null;
  readonly guest_email: string | null;
  readonly checkin: string | null;
  readonly checkout: string | null;
  /** Both days in one text. */
  readonly range: string | null;
  readonly reservation_code: string | null;
  /** Every code in the mail, including those that the guest wrote. */
  readonly codes: readonly string[];
}

export type Extractor = (reading: MailReading) => RawFields;
