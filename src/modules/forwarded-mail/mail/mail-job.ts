/** What a reading thread does with a mail (DESIGN "Forwarded mail"). Pure: bytes and settings in, plain data out. */
import { dkimAlignment } from './authentication.rules';
import { type Extraction, extractReservation } from './extractors/extract';
import type { ChannelDomains } from './extractors/types';
import { type ForwardingConfirmation, readForwardingConfirmation } from './gmail-confirmation';
import { type ForwardedMail, type OwnAddresses, parseForwarded } from './parse-forwarded';

export interface MailJob {
  readonly raw: Uint8Array;
  readonly own: OwnAddresses;
  readonly channel_domains: ChannelDomains;
  /** The receiving server, whose word on DKIM counts. */
  readonly authserv_id: string | null;
}

/** Why a mail waits unread. */
export type UnreadReason = 'too_large' | 'unreadable' | 'took_too_long' | 'too_much_memory';

/** A mail, and what stands in it. */
export type ReadMail =
  | {
      readonly ok: true;
      readonly mail: ForwardedMail;
      readonly extraction: Extraction;
      readonly dkim_aligned: boolean;
      readonly confirmation: ForwardingConfirmation | null;
      /** The message as it is kept. */
      readonly kept: Uint8Array;
      /** Of several mails attached to one those after the first, each with what stands in it. */
      readonly further: readonly {
        readonly mail: ForwardedMail;
        readonly extraction: Extraction;
        readonly kept: Uint8Array;
      }[];
    }
  | { readonly ok: false; readonly reason: UnreadReason; readonly message_id: string; readonly kept: Uint8Array };

export async function takeApart({ raw, own, channel_domains, authserv_id }: MailJob): Promise<ReadMail> {
  const parsed = await parseForwarded(raw, own);
  const { kept } = parsed;
  if (!parsed.ok) return { ok: false, reason: parsed.reason, message_id: parsed.message_id, kept };
  const { mail } = parsed;
  const extraction = extractReservation(mail.original, channel_domains);
  const { aligned } = dkimAlignment(
    mail.authentication_results,
    authserv_id,
    mail.from?.address.split('@').at(-1) ?? null,
    extraction.channel ? channel_domains[extraction.channel] : [],
  );
  const further = mail.further.map((one, index) => ({
    // The same file again has the same id: the outer mail's, and its place in it.
    mail: { ...mail, message_id: `${mail.message_id}#${index + 2}`, original: one.content, further: [], unread: [] },
    extraction: extractReservation(one.content, channel_domains),
    kept: one.kept,
  }));
  const confirmation = readForwardingConfirmation(mail);
  return { ok: true, mail, extraction, dkim_aligned: aligned, confirmation, kept, further };
}
