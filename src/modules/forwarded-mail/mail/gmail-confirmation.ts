/**
 * Recognizes Gmail's request to confirm forwarding, a mail with a link and a code. The dashboard
 * shows the link and the code to the host, who confirms.
 */
import { trimCharactersFromEnd } from '@/shared/text/trim-characters';
import { findEmailAddressesInText } from './addresses';
import { isSameOrSubdomain } from './authentication.rules';
import type { ForwardedMail } from './parse-forwarded';

export interface MailForwardingConfirmation {
  readonly provider: 'gmail';
  readonly link: string | null;
  readonly code: string | null;
  /** The mailbox whose mail will be forwarded. */
  readonly mailbox: string | null;
}

/** Returns the content of Gmail's request, or null for any other mail. */
export function parseGmailForwardingConfirmation(mail: ForwardedMail): MailForwardingConfirmation | null {
  const [local, domain] = (mail.from?.address ?? '').split('@');
  if (!domain || !isSameOrSubdomain(domain, 'google.com') || !local?.startsWith('forwarding-noreply')) return null;
  if (mail.forwarding !== 'redirected') return null;
  const text = mail.original.texts.join('\n');
  const written = text.match(/https:\/\/[^\s<>"']{10,2000}/g) ?? [];
  const link =
    [...written, ...mail.original.links].map((url) => trimCharactersFromEnd(url, '.,)')).find(isConfirmationLink) ??
    null;
  const code = /\(#?(\d{6,12})\)/.exec(mail.subject)?.[1] ?? /:\s*(\d{6,12})\b/.exec(text)?.[1] ?? null;
  const mailboxes = findEmailAddressesInText(`${mail.subject}\n${text}`).filter((address) =>
    (address.split('@')[1] ?? '').includes('.'),
  );
  const mailbox =
    mailboxes.find((address) => !isSameOrSubdomain(address.split('@')[1] ?? '', 'google.com'))?.toLowerCase() ?? null;
  return link || code ? { provider: 'gmail', link, code, mailbox } : null;
}

/** Returns whether the link leads to Google. Only such links are shown as a button. */
function isConfirmationLink(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  const hosts = ['mail.google.com', 'mail-settings.google.com', 'isolated.mail.google.com'];
  return (
    url.protocol === 'https:' && !url.username && hosts.includes(url.hostname) && url.pathname.startsWith('/mail/vf-')
  );
}
