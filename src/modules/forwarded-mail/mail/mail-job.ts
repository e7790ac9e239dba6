/** Parses a mail and extracts its facts, inside a parser thread (design "Forwarded mail"). Pure. */
import { checkDkimAlignment } from './authentication.rules';
import { extractReservationFromMail, type ReservationExtractionResult } from './extractors/extract';
import type { ChannelMailDomains } from './extractors/types';
import { type MailForwardingConfirmation, parseGmailForwardingConfirmation } from './gmail-confirmation';
import { type ForwardedMail, type InstallationMailAddresses, parseForwardedMail } from './parse-forwarded';

export interface MailParseJob {
  readonly raw: Uint8Array;
  readonly own: InstallationMailAddresses;
  readonly channel_domains: ChannelMailDomains;
  /** The authserv-id of the receiving server, whose DKIM results are trusted. */
  readonly authserv_id: string | null;
}

/** The reason why a mail could not be parsed. Such mails wait in the inbox. */
export type UnreadableMailReason = 'too_large' | 'unreadable' | 'took_too_long' | 'too_much_memory';

export type MailParseJobResult =
  | {
      readonly ok: true;
      readonly mail: ForwardedMail;
      readonly extraction: ReservationExtractionResult;
      readonly dkim_aligned: boolean;
      readonly confirmation: MailForwardingConfirmation | null;
      /** The message in the form in which it is stored. */
      readonly kept: Uint8Array;
      /** The attached mails after the first one, with their facts. */
      readonly further: readonly {
        readonly mail: ForwardedMail;
        readonly extraction: ReservationExtractionResult;
        readonly kept: Uint8Array;
      }[];
    }
  | {
      readonly ok: false;
      readonly reason: UnreadableMailReason;
      readonly message_id: string;
      readonly kept: Uint8Array;
    };

export async function runMailParseJob({
  raw,
  own,
  channel_domains,
  authserv_id,
}: MailParseJob): Promise<MailParseJobResult> {
  const parsed = await parseForwardedMail(raw, own);
  const { kept } = parsed;
  if (!parsed.ok) return { ok: false, reason: parsed.reason, message_id: parsed.message_id, kept };
  const { mail } = parsed;
  const extraction = extractReservationFromMail(mail.original, channel_domains);
  const { aligned } = checkDkimAlignment(
    mail.authentication_results,
    authserv_id,
    mail.from?.address.split('@').at(-1) ?? null,
    extraction.channel ? channel_domains[extraction.channel] : [],
  );
  const further = mail.further.map((one, index) => ({
    // The id must be the same when the same mail arrives again, so it consists of the outer mail's
    // id and the position.
    mail: { ...mail, message_id: `${mail.message_id}#${index + 2}`, original: one.content, further: [], unread: [] },
    extraction: extractReservationFromMail(one.content, channel_domains),
    kept: one.kept,
  }));
  const confirmation = parseGmailForwardingConfirmation(mail);
  return { ok: true, mail, extraction, dkim_aligned: aligned && !mail.doubled_headers, confirmation, kept, further };
}
