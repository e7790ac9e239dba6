/**
 * What the reading threads do (DESIGN "Calendar sync": bytes are read in a worker thread). Pure: bytes and settings in,
 * plain data out; this file and what it imports is what is bundled for the threads.
 */
import { type FeedContext, feedFingerprint, type ReadFeed, readOpenedFeed } from './feed-reader';
import { type FeedFailure, openFeed } from './feed-text';
import { dkimAlignment } from './mail/authentication.rules';
import { type Extraction, extractReservation } from './mail/extractors/extract';
import type { ChannelDomains } from './mail/extractors/types';
import { type ForwardingConfirmation, readForwardingConfirmation } from './mail/gmail-confirmation';
import { type ForwardedMail, type OwnAddresses, parseForwarded } from './mail/parse-forwarded';
import { stripAttachments } from './mail/strip-attachments';

export interface CalendarJob {
  readonly bytes: Uint8Array;
  readonly content_type: string | null;
  readonly context: FeedContext;
  /** What else of the source decides; part of the fingerprint. */
  readonly settings?: string;
  /** A calendar with this fingerprint need not be read. */
  readonly known_fingerprint?: string | null;
}

export interface OpenedCalendar<Feed = ReadFeed | null> {
  readonly ok: true;
  /** Of the content alone; see `feedFingerprint`. */
  readonly fingerprint: string;
  readonly repeats: boolean;
  readonly whole: boolean;
  /** Null when the calendar is the known one. */
  readonly feed: Feed;
}

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
    }
  | { readonly ok: false; readonly reason: UnreadReason; readonly message_id: string; readonly kept: Uint8Array };

export type ReadingJob = ({ readonly type: 'calendar' } & CalendarJob) | ({ readonly type: 'mail' } & MailJob);

/** Reads what is to be read. */
export function read(job: ReadingJob): Promise<ReadMail> | OpenedCalendar | FeedFailure {
  return job.type === 'mail' ? readMail(job) : openCalendar(job);
}

function openCalendar({ bytes, content_type, context, settings, known_fingerprint }: CalendarJob) {
  const opened = openFeed(bytes, content_type);
  if (!opened.ok) return opened;
  const { fingerprint, repeats, whole } = opened;
  const known = known_fingerprint && known_fingerprint === feedFingerprint(opened, context, settings);
  const feed = known ? null : readOpenedFeed(opened, context);
  return { ok: true as const, fingerprint, repeats, whole, feed };
}

async function readMail({ raw, own, channel_domains, authserv_id }: MailJob): Promise<ReadMail> {
  const parsed = await parseForwarded(raw, own);
  const kept = stripAttachments(raw);
  if (!parsed.ok) return { ok: false, reason: parsed.reason, message_id: parsed.message_id, kept };
  const { mail } = parsed;
  const extraction = extractReservation(mail.original, channel_domains);
  const { aligned } = dkimAlignment(
    mail.authentication_results,
    authserv_id,
    mail.from?.address.split('@').at(-1) ?? null,
    extraction.channel ? channel_domains[extraction.channel] : [],
  );
  return { ok: true, mail, extraction, dkim_aligned: aligned, confirmation: readForwardingConfirmation(mail), kept };
}
