/**
 * Parses a raw RFC 5322 message from a forwarding address: sender, subject, dates, text, and the
 * mail inside when a person forwarded one. Attachments are dropped. merge.rules.ts decides what the
 * mail causes (DESIGN "Forwarded mail"). Pure.
 */
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { sha256Hex } from '@/shared/canonical-json';
import { toStorableText } from '@/shared/text/storable-text';
import { findAddresses } from './addresses';
import { limitLines, limitMessage } from './bounded';
import { readDay } from './dates/stay';
import { hasForwardPrefix, stripForwardPrefix } from './forward-words';
import { htmlToText, normalizeWhitespace } from './html-text';
import { MAX_MAIL_BYTES, MAX_TEXT } from './limits';
import { convertOutlookMessage } from './outlook';
import { unwrapInlineOriginal } from './unwrap';

/** The limit for the headers of all parts together. */
const MAX_HEADERS = 128 * 1024;
const MAX_HTML = 4 * MAX_TEXT;
const MAX_RECEIVED = 30;
/** Headers that this parser reads and that RFC 5322 and 2045 allow only once. */
const ONCE = ['from', 'subject', 'date', 'message-id', 'mime-version', 'content-type', 'content-transfer-encoding'];
/** The maximum nesting of attached mails. */
const MAX_DEPTH = 3;
/** The most attached mails that are read. Further ones are reported as unread. */
const MAX_ATTACHED = 20;
/** The most files reported as unread. */
const MAX_UNREAD = 5;

export interface MailAddress {
  readonly name: string;
  /** Lower case. */
  readonly address: string;
}

export interface MailContent {
  readonly from: MailAddress | null;
  /** The subject without forwarding prefixes. */
  readonly subject: string;
  /** The bodies, the preferred one first: the text part, and the HTML part as text. */
  readonly texts: readonly string[];
  readonly links: readonly string[];
  /** ISO 8601. Null without a readable date. */
  readonly date: string | null;
  /** Whether `date` is the time of writing, or only that of forwarding. */
  readonly dated: 'written' | 'forwarded';
  /** Content-Language or the HTML's `lang`, in lower case: `en-us`. */
  readonly language: string | null;
}

export interface ForwardedMail {
  /** Without angle brackets. `sha256:…` of the bytes when the mail has none. */
  readonly message_id: string;
  /** The sender of the outer mail: the person or server that forwarded it. */
  readonly from: MailAddress | null;
  readonly subject: string;
  /** The mail inside, or the outer one when there is none. */
  readonly original: MailContent;
  /**
   * `redirected`: arrived as the channel sent it, by a filter. `inline`, `attached`: a person
   * forwarded it, so its sender is not proven.
   */
  readonly forwarding: 'redirected' | 'inline' | 'attached';
  /** Confirmations are `generated`. Out-of-office notes and the like are `replied`. */
  readonly auto_submitted: 'no' | 'generated' | 'replied';
  readonly bounce: boolean;
  readonly loop: boolean;
  readonly attachments_dropped: number;
  /** Attached mails after the first, which is `original`. */
  readonly further: readonly AttachedMail[];
  /** Names of unreadable mail files: Outlook’s formats, and mails beyond the limit. */
  readonly unread: readonly string[];
  /** Authentication-Results headers, the receiving server's topmost first. */
  readonly authentication_results: readonly string[];
  /**
   * Whether a header is repeated that is allowed only once. The signature may cover another
   * occurrence than the one that was read.
   */
  readonly doubled_headers: boolean;
}

/** An attached mail, with its message in the form that was read. */
export interface AttachedMail {
  readonly content: MailContent;
  readonly kept: Uint8Array;
}

/** `kept` is the message in the form that was read, for storing. */
export type ParsedMail = { readonly kept: Uint8Array } & (
  | { readonly ok: true; readonly mail: ForwardedMail }
  | { readonly ok: false; readonly reason: 'too_large' | 'unreadable'; readonly message_id: string }
);

export interface OwnAddresses {
  /** The addresses this installation sends from. */
  readonly senders: readonly string[];
  /** The domain of the forwarding addresses. */
  readonly inbound_domain: string;
}

/** Parses a raw message. Never throws. The bytes of attachments are not kept. */
export async function parseForwardedMail(raw: Uint8Array, own: OwnAddresses): Promise<ParsedMail> {
  const fallback_id = `sha256:${sha256Hex(raw)}`;
  const kept = limitMessage(raw);
  const failed = (reason: 'too_large' | 'unreadable') =>
    ({ ok: false, reason, message_id: fallback_id, kept }) as const;
  if (raw.byteLength > MAX_MAIL_BYTES) return failed('too_large');
  const email = await parseEmail(kept);
  if (!email || (email.headers.length === 0 && !email.text?.trim())) return failed('unreadable');
  const outer = contentOf(email);
  const outlooks = email.attachments.some(isMsg) ? await outlookMails(raw) : NO_OUTLOOK;
  const attached = [...(await attachedMails(email.attachments)), ...outlooks.read];
  const [first, ...further] = attached.slice(0, MAX_ATTACHED);
  const inner = first?.content ?? null;
  const unread = [
    ...unreadable(email.attachments, outlooks.files),
    ...attached.slice(MAX_ATTACHED).map(({ content }) => content.subject),
  ];
  const inline = inner ? null : inlineOriginal(outer);
  return {
    ok: true,
    // The host sees the stored message. Outlook's files are not stored in the outer message.
    kept: first && outlooks.read.includes(first) ? first.kept : kept,
    mail: {
      message_id: messageIdOf(email) ?? fallback_id,
      from: outer.from,
      subject: outer.subject,
      original: inner ?? inline ?? asItStands(outer),
      forwarding: inner ? 'attached' : inline || hasForwardPrefix(outer.subject) ? 'inline' : 'redirected',
      auto_submitted: autoSubmitted(email),
      bounce: isBounce(email),
      loop: isLoop(email, outer.from, own),
      attachments_dropped: email.attachments.length - email.attachments.filter(isMessage).length,
      further,
      unread: unread.slice(0, MAX_UNREAD),
      authentication_results: headersOf(email, 'authentication-results'),
      doubled_headers: ONCE.some((key) => headersOf(email, key).length > 1),
    },
  };
}

async function parseEmail(raw: Uint8Array): Promise<Email | null> {
  try {
    return await PostalMime.parse(raw, {
      forceRfc822Attachments: true,
      maxNestingDepth: 20,
      maxHeadersSize: MAX_HEADERS,
    });
  } catch {
    return null;
  }
}

const isMessage = ({ mimeType, filename }: Attachment) =>
  mimeType === 'message/rfc822' || /\.eml$/i.test(filename ?? '');

/** Returns whether an attachment is a mail in one of Outlook's formats. */
const isOutlooksOwn = ({ mimeType, filename }: Attachment) =>
  /^application\/(?:vnd\.ms-outlook|(?:vnd\.)?ms-tnef)$/i.test(mimeType) ||
  /(?:\.msg|^winmail\.dat)$/i.test(filename ?? '');

const isMsg = ({ mimeType, filename }: Attachment) =>
  /^application\/vnd\.ms-outlook$/i.test(mimeType) || /\.msg$/i.test(filename ?? '');

/**
 * Returns the names of Outlook's files that could not be read. `read` has the names of the others.
 */
const unreadable = (attachments: readonly Attachment[], read: ReadonlySet<string>): string[] =>
  attachments
    .filter((one) => isOutlooksOwn(one) && !read.has(one.filename ?? ''))
    .map(({ filename }) => clipped(filename ?? 'winmail.dat', 100));

/** The most Outlook files that are read of one mail. */
const MAX_MSG_FILES = 5;
const NO_OUTLOOK = { read: [] as AttachedMail[], files: new Set<string>() };

/**
 * Returns the mails attached as `.msg`. Attachments are not kept, so the original message is parsed
 * again.
 */
async function outlookMails(raw: Uint8Array): Promise<typeof NO_OUTLOOK> {
  const found = { read: [] as AttachedMail[], files: new Set<string>() };
  const whole = await parseEmail(limitLines(raw));
  for (const { content: bytes, filename } of (whole?.attachments ?? []).filter(isMsg).slice(0, MAX_MSG_FILES)) {
    const kept = typeof bytes === 'string' ? null : convertOutlookMessage(new Uint8Array(bytes as ArrayBuffer));
    const email = kept && (await parseEmail(kept));
    if (!email) continue;
    const content = contentOf(email);
    found.files.add(filename ?? '');
    found.read.push({ content: inlineOriginal(content) ?? asItStands(content), kept });
  }
  return found;
}

/** Returns the attached mails. A mail that has attached mails itself is replaced by them. */
async function attachedMails(attachments: readonly Attachment[], depth = 0): Promise<AttachedMail[]> {
  if (depth >= MAX_DEPTH) return [];
  const found: AttachedMail[] = [];
  for (const { content: bytes } of attachments.filter(isMessage)) {
    // This reads one more than the limit, so that the rest can be reported.
    if (found.length > MAX_ATTACHED) break;
    if (typeof bytes === 'string') continue;
    const kept = limitMessage(new Uint8Array(bytes as ArrayBuffer));
    const email = await parseEmail(kept);
    if (!email || email.headers.length === 0) continue;
    const content = contentOf(email);
    const within = await attachedMails(email.attachments, depth + 1);
    found.push(...(within.length > 0 ? within : [{ content: inlineOriginal(content) ?? asItStands(content), kept }]));
  }
  return found;
}

/**
 * Returns a mail that contains no other mail. If it was forwarded, its date is not the time of
 * writing.
 */
const asItStands = (content: MailContent): MailContent => ({
  ...content,
  subject: stripForwardPrefix(content.subject),
  dated: hasForwardPrefix(content.subject) ? 'forwarded' : content.dated,
});

function inlineOriginal(outer: MailContent): MailContent | null {
  const readings = outer.texts.map(unwrapInlineOriginal);
  const best = readings.find((reading) => reading?.from) ?? null;
  if (!best) return null;
  const written = readings.map((reading) => dayOfHeader(reading?.date ?? null, outer.date)).find((day) => day !== null);
  return {
    from: senderOf(best.from ?? ''),
    subject: stripForwardPrefix(best.subject ?? outer.subject),
    texts: readings.flatMap((reading) => (reading ? [reading.text] : [])),
    links: outer.links,
    date: written ?? outer.date,
    dated: written ? 'written' : 'forwarded',
    language: outer.language,
  };
}

/** Reads "Channel A <automated@channel-a.example>", also when a program inserted `mailto:`. */
function senderOf(text: string): MailAddress | null {
  const address = findAddresses(text)[0];
  if (!address) return null;
  const name = text.slice(0, text.indexOf(address)).replace(/["“”'<>[\]]|mailto:/gi, '');
  return { name: clipped(name, 200), address: address.toLowerCase() };
}

/**
 * Returns the day in a header that a mail program wrote in its language, or null when it is
 * ambiguous.
 */
function dayOfHeader(text: string | null, forwarded: string | null): string | null {
  const reference = forwarded?.slice(0, 10) ?? null;
  const day = readDay(text ?? '', { languages: [], tag: null, reference, exact: false });
  return day === null ? null : `${day}T12:00:00.000Z`;
}

function contentOf(email: Email): MailContent {
  const html = email.html ? htmlToText(email.html.slice(0, MAX_HTML)) : null;
  const texts = [
    email.text ? normalizeWhitespace(email.text.slice(0, MAX_TEXT)) : '',
    html?.text.slice(0, MAX_TEXT) ?? '',
  ];
  const language =
    headersOf(email, 'content-language')[0] ?? /\blang ?= ?["']?([\w-]{1,35})/i.exec(htmlTagOf(email.html ?? ''))?.[1];
  return {
    from: addressOf(email.from),
    // An encoded word may contain any character.
    subject: clipped(email.subject ?? '', 500),
    texts: texts.map((text) => toStorableText(text)).filter((text) => text.trim() !== ''),
    links: (html?.links ?? []).map((link) => toStorableText(link)),
    date: isoDate(email.date),
    dated: 'written',
    language: language ? clipped(language.toLowerCase(), 20) : null,
  };
}

const htmlTagOf = (html: string) => /<html\b[^<>]*/i.exec(html.slice(0, MAX_TEXT))?.[0].replace(/\s+/g, ' ') ?? '';

function addressOf(address: Address | undefined): MailAddress | null {
  const mailbox = address?.group ? address.group[0] : address;
  if (!mailbox?.address?.includes('@')) return null;
  return { name: clipped(mailbox.name, 200), address: toStorableText(mailbox.address).trim().toLowerCase() };
}

function messageIdOf(email: Email): string | null {
  const id = toStorableText(email.messageId ?? '').replace(/[<>\s]/g, '');
  return id === '' ? null : clipped(id, 500);
}

const headersOf = (email: Email, key: string) =>
  email.headers.filter((header) => header.key === key).map((header) => toStorableText(header.value));

function autoSubmitted(email: Email): ForwardedMail['auto_submitted'] {
  const submitted = headersOf(email, 'auto-submitted')[0]?.trim().toLowerCase() ?? 'no';
  const replied = ['x-autoreply', 'x-autorespond', 'x-auto-response-suppress-reply'].some(
    (key) => headersOf(email, key).length > 0,
  );
  const precedence = headersOf(email, 'precedence')[0]?.trim().toLowerCase();
  if (replied || submitted.startsWith('auto-replied') || precedence === 'auto_reply') return 'replied';
  return submitted.startsWith('no') || submitted === '' ? 'no' : 'generated';
}

function isBounce(email: Email): boolean {
  const type = headersOf(email, 'content-type')[0] ?? '';
  if (/^\s*multipart\/report/i.test(type)) return true;
  return /^(?:mailer-daemon|postmaster)@/i.test(addressOf(email.from)?.address ?? '');
}

/**
 * Returns whether it is our own mail, mail that was delivered here before, or mail that passed too
 * many servers.
 */
function isLoop(email: Email, from: MailAddress | null, own: OwnAddresses): boolean {
  const inbound = `@${own.inbound_domain.toLowerCase()}`;
  if (from && (own.senders.some((sender) => sender.toLowerCase() === from.address) || from.address.endsWith(inbound)))
    return true;
  if (headersOf(email, 'x-loop').some((value) => value.toLowerCase().includes(inbound))) return true;
  const delivered = headersOf(email, 'delivered-to').map((value) => value.trim().toLowerCase());
  const here = delivered.filter((value) => value.replace(/[<>]/g, '').endsWith(inbound));
  return here.length > 1 || headersOf(email, 'received').length > MAX_RECEIVED;
}

function isoDate(text: string | null | undefined): string | null {
  if (!text || !/\d{4}/.test(text)) return null;
  const time = Date.parse(text.slice(0, 200));
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

/** Returns at most `length` characters, without half a surrogate pair. */
const clipped = (text: string, length: number) => toStorableText(toStorableText(text).trim(), length);
