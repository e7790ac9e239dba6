/** The job that parses a calendar in a parser thread (design "Calendar sync"). Pure. */
import { computeFeedFingerprint, type FeedInterpretationContext, interpretFeed, type ParsedFeed } from './reader';
import { type FeedFailure, splitFeedIntoEvents } from './text';

export interface CalendarParseJob {
  readonly bytes: Uint8Array;
  readonly content_type: string | null;
  readonly context: FeedInterpretationContext;
  /**
   * Settings of the source that affect the result and are not in `context`. They are part of the
   * fingerprint.
   */
  readonly settings?: string;
  /** The stored fingerprint. A calendar with the same fingerprint is not parsed. */
  readonly known_fingerprint?: string | null;
}

export interface FingerprintedCalendar<Feed = ParsedFeed | null> {
  readonly ok: true;
  /** The fingerprint of the content alone. `computeFeedFingerprint` also covers the settings. */
  readonly fingerprint: string;
  readonly repeats: boolean;
  readonly whole: boolean;
  /** Null when the calendar has the job's `known_fingerprint`. It is then not parsed. */
  readonly feed: Feed;
}

export function fingerprintAndParseCalendar(job: CalendarParseJob): FingerprintedCalendar | FeedFailure {
  const { bytes, content_type, context, settings, known_fingerprint } = job;
  const opened = splitFeedIntoEvents(bytes, content_type);
  if (!opened.ok) return opened;
  const { fingerprint, repeats, whole } = opened;
  const known = known_fingerprint && known_fingerprint === computeFeedFingerprint(opened, context, settings);
  const feed = known ? null : interpretFeed(opened, context);
  return { ok: true as const, fingerprint, repeats, whole, feed };
}
