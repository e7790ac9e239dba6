/** What extractors share: the mail as they see it, and what they find. */
import type { Channel } from '@/modules/sync-sources/plan/match-bookings';
import type { MailContent } from '../parse-forwarded';
import type { LabelledMail } from './labels';

export type { Channel };

/** The domains a channel's own mail and its relay addresses come from; subdomains count. */
export type ChannelDomains = Readonly<Record<Channel, readonly string[]>>;

/** Neutral stand-ins, as in the specification; an installation gives the real ones. */
export const NEUTRAL_CHANNEL_DOMAINS: ChannelDomains = {
  channel_a: ['channel-a.example'],
  channel_b: ['channel-b.example'],
  channel_c: ['channel-c.example'],
};

/** One reading of a mail's body, with its labels. */
export interface Reading {
  readonly mail: MailContent;
  readonly text: string;
  readonly labels: LabelledMail;
}

/** What stands in the mail, before dates are read and addresses judged. */
export interface RawFields {
  readonly guest_name: string | null;
  readonly guest_email: string | null;
  readonly checkin: string | null;
  readonly checkout: string | null;
  /** Both days in one text. */
  readonly range: string | null;
  readonly reservation_code: string | null;
}

export type Extractor = (reading: Reading) => RawFields;
