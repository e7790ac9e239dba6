/**
 * Parses a raw RFC 5322 message that arrived at a forwarding address: sender, subject, dates and
 * text. If a person forwarded a mail, parses the mail inside. Attachments are dropped.
 * merge.rules.ts decides what happens with the mail (design "Forwarded mail"). Pure.
 */
import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { sha256Hex } from '@/shared/canonical-json';
import { toStorableText } from '@/shared/text/storable-text';
import { findEmailAddressesInText } from './addresses';
import { parseDateIfUnambiguous } from './dates/stay';
import { hasForwardPrefix, stripForwardPrefix } from './forward-words';
import { htmlToText, normalizeWhitespace } from './html-text';
import { MAX_MAIL_BYTES, MAX_MAIL_PART_TEXT_LENGTH } from './limits';
import { removeAttachmentsAndTruncateMail, truncateMailToMaxLines } from './line-limit';
import { convertOutlookMailToRfc5322 } from './outlook';
import { unwrapInlineOriginalMail } from './unwrap';

/** The size limit for the headers of all MIME parts together. */
const MAX_HEADERS = 128 * 1024;
const MAX_HTML = 4 * MAX_MAIL_PART_TEXT_LENGTH;
const MAX_RECEIVED = 30;
/** Headers that this parser reads and that RFC 5322 and 2045 allow only once. */
const ONCE = ['from', 'subject', 'date', 'message-id', 'mime-version', 'content-type', 'content-transfer-encoding'];
/** The maximum nesting of attached mails. */
const MAX_DEPTH = 3;
/** The maximum number of attached mails that are read. The rest are reported as unread. */
const MAX_ATTACHED = 20;
/** The maximum number of files that are reported as unread. */
const MAX_UNREAD = 5;

export interface NamedMailAddress {
  readonly name: string;
  /** The address in lower case. */
  readonly address: string;
}

export interface ForwardedMailContent {
  readonly from: NamedMailAddress | null;
  /** The subject without the prefixes of forwards. */
  readonly subject: string;
  /** The bodies in order of preference: the text part, then the HTML part converted to text. */
  readonly texts: readonly string[];
  readonly links: readonly string[];
  /** The date in ISO 8601. Null when the mail has no readable date. */
  readonly date: string | null;
  /**
   * `written`: `date` is the time of writing. `forwarded`: `date` is only the time of forwarding.
   */
  readonly dated: 'written' | 'forwarded';
  /**
   * The language tag in lower case, such as `en-us`, from Content-Language or the HTML's `lang`.
   */
  readonly language: string | null;
}

export interface ForwardedMail {
  /** The Message-ID without angle brackets. If the mail has none, `sha256:…` of its bytes. */
  readonly message_id: string;
  /** The sender of the outer mail: the person or server that forwarded it. */
  readonly from: NamedMailAddress | null;
  readonly subject: string;
  /** The mail inside the outer mail. If there is none, the outer mail. */
  readonly original: ForwardedMailContent;
  /**
   * `redirected`: a filter forwarded the mail unchanged, so its sender can be verified. `inline`
   * and `attached`: a person forwarded it, so its sender cannot be verified.
   */
  readonly forwarding: 'redirected' | 'inline' | 'attached';
  /**
   * `generated` for automatic mails such as confirmations, `replied` for automatic replies such as
   * out-of-office notes.
   */
  readonly auto_submitted: 'no' | 'generated' | 'replied';
  readonly bounce: boolean;
  readonly loop: boolean;
  readonly attachments_dropped: number;
  /** The attached mails after the first one. The first one is `original`. */
  readonly further: readonly AttachedMail[];
  /**
   * Names of mail files that were not read: unreadable Outlook files, and mails beyond the limit.
   */
  readonly unread: readonly string[];
  /** The values of the Authentication-Results headers, topmost first. */
  readonly authentication_results: readonly string[];
  /**
   * Whether a header that may occur only once is repeated. The DKIM signature may then cover a
   * different occurrence from the one that was parsed.
   */
  readonly doubled_headers: boolean;
}

/** An attached mail, with the message from which it was read. */
export interface AttachedMail {
  readonly content: ForwardedMailContent;
  readonly kept: Uint8Array;
}

/** `kept` is the message to store, in the form that was parsed. */
export type ParsedMail = { readonly kept: Uint8Array } & (
  | { readonly ok: true; readonly mail: ForwardedMail }
  | { readonly ok: false; readonly reason: 'too_large' | 'unreadable'; readonly message_id: string }
);

export interface InstallationMailAddresses {
  /** The addresses from which this installation sends mail. */
  readonly senders: readonly string[];
  /** The domain of the forwarding addresses. */
  readonly inbound_domain: string;
}

/** Parses a raw message. Never throws. Drops attachments that are not mails. */
export async function parseForwardedMail(raw: Uint8Array, own: InstallationMailAddresses): Promise<ParsedMail> {
  const fallback_id = `sha256:${sha256Hex(raw)}`;
  const kept = removeAttachmentsAndTruncateMail(raw);
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
    // The host sees the stored message. If the original is an Outlook file, its converted message
    // is stored, because Outlook files are dropped from the outer message.
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

/** Returns whether an attachment is in one of Outlook's formats. */
const isOutlooksOwn = ({ mimeType, filename }: Attachment) =>
  /^application\/(?:vnd\.ms-outlook|(?:vnd\.)?ms-tnef)$/i.test(mimeType) ||
  /(?:\.msg|^winmail\.dat)$/i.test(filename ?? '');

const isMsg = ({ mimeType, filename }: Attachment) =>
  /^application\/vnd\.ms-outlook$/i.test(mimeType) || /\.msg$/i.test(filename ?? '');

/** Returns the names of Outlook files that are not among the read files. */
const unreadable = (attachments: readonly Attachment[], read: ReadonlySet<string>): string[] =>
  attachments
    .filter((one) => isOutlooksOwn(one) && !read.has(one.filename ?? ''))
    .map(({ filename }) => clipped(filename ?? 'winmail.dat', 100));

/** The maximum number of Outlook files that are read per mail. */
const MAX_MSG_FILES = 5;
const NO_OUTLOOK = { read: [] as AttachedMail[], files: new Set<string>() };

/**
 * Reads the mails attached as `.msg` files. Parses the raw message again, because the stored form
 * has no attachments.
 */
async function outlookMails(raw: Uint8Array): Promise<typeof NO_OUTLOOK> {
  const found = { read: [] as AttachedMail[], files: new Set<string>() };
  const whole = await parseEmail(truncateMailToMaxLines(raw));
  for (const { content: bytes, filename } of (whole?.attachments ?? []).filter(isMsg).slice(0, MAX_MSG_FILES)) {
    const kept = typeof bytes === 'string' ? null : convertOutlookMailToRfc5322(new Uint8Array(bytes as ArrayBuffer));
    const email = kept && (await parseEmail(kept));
    if (!email) continue;
    const content = contentOf(email);
    found.files.add(filename ?? '');
    found.read.push({ content: inlineOriginal(content) ?? asItStands(content), kept });
  }
  return found;
}

/**
 * Returns the attached mails. If an attached mail has attached mails itself, only the inner mails
 * are returned.
 */
async function attachedMails(attachments: readonly Attachment[], depth = 0): Promise<AttachedMail[]> {
  if (depth >= MAX_DEPTH) return [];
  const found: AttachedMail[] = [];
  for (const { content: bytes } of attachments.filter(isMessage)) {
    // Reads one mail more than the limit, so that the caller notices mails beyond it.
    if (found.length > MAX_ATTACHED) break;
    if (typeof bytes === 'string') continue;
    const kept = removeAttachmentsAndTruncateMail(new Uint8Array(bytes as ArrayBuffer));
    const email = await parseEmail(kept);
    if (!email || email.headers.length === 0) continue;
    const content = contentOf(email);
    const within = await attachedMails(email.attachments, depth + 1);
    found.push(...(within.length > 0 ? within : [{ content: inlineOriginal(content) ?? asItStands(content), kept }]));
  }
  return found;
}

/**
 * Returns the content of a mail that contains no other mail. Marks the date as the time of
 * forwarding if the subject has a forwarding prefix.
 */
const asItStands = (content: ForwardedMailContent): ForwardedMailContent => ({
  ...content,
  subject: stripForwardPrefix(content.subject),
  dated: hasForwardPrefix(content.subject) ? 'forwarded' : content.dated,
});

function inlineOriginal(outer: ForwardedMailContent): ForwardedMailContent | null {
  const readings = outer.texts.map(unwrapInlineOriginalMail);
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

/**
 * Parses "Channel A <automated@channel-a.example>". Some programs insert `mailto:`, which is
 * ignored.
 */
function senderOf(text: string): NamedMailAddress | null {
  const address = findEmailAddressesInText(text)[0];
  if (!address) return null;
  const name = text.slice(0, text.indexOf(address)).replace(/["“”'<>[\]]|mailto:/gi, '');
  return { name: clipped(name, 200), address: address.toLowerCase() };
}

/**
 * Parses the date in a header that a mail program wrote in its own language. Returns null when it
 * is ambiguous.
 */
function dayOfHeader(text: string | null, forwarded: string | null): string | null {
  const reference = forwarded?.slice(0, 10) ?? null;
  const day = parseDateIfUnambiguous(text ?? '', { languages: [], tag: null, reference, exact: false });
  return day === null ? null : `${day}T12:00:00.000Z`;
}

function contentOf(email: Email): ForwardedMailContent {
  const html = email.html ? htmlToText(email.html.slice(0, MAX_HTML)) : null;
  const texts = [
    email.text ? normalizeWhitespace(email.text.slice(0, MAX_MAIL_PART_TEXT_LENGTH)) : '',
    html?.text.slice(0, MAX_MAIL_PART_TEXT_LENGTH) ?? '',
  ];
  const language =
    headersOf(email, 'content-language')[0] ?? /\blang ?= ?["']?([\w-]{1,35})/i.exec(htmlTagOf(email.html ?? ''))?.[1];
  return {
    from: addressOf(email.from),
    // Decoded text may contain characters that cannot be stored, so they are removed.
    subject: clipped(email.subject ?? '', 500),
    texts: texts.map((text) => toStorableText(text)).filter((text) => text.trim() !== ''),
    links: (html?.links ?? []).map((link) => toStorableText(link)),
    date: isoDate(email.date),
    dated: 'written',
    language: language ? clipped(language.toLowerCase(), 20) : null,
  };
}

const htmlTagOf = (html: string) =>
  /<html\b[^<>]*/i.exec(html.slice(0, MAX_MAIL_PART_TEXT_LENGTH))?.[0].replace(/\s+/g, ' ') ?? '';

function addressOf(address: Address | undefined): NamedMailAddress | null {
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
 * Returns whether the mail came from this installation, was delivered here before, or passed too
 * many servers.
 */
function isLoop(email: Email, from: NamedMailAddress | null, own: InstallationMailAddresses): boolean {
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

/** Cuts a text to `length` characters, without splitting a surrogate pair. */
const clipped = (text: string, length: number) => toStorableText(toStorableText(text).trim(), length);
