/** Labels and colours of sync sources, runs and mails. Message keys contain the API's codes. */
import type { NamespaceTranslator } from '../i18n/namespace-translator';
import type { BadgeTone } from '../ui/badge';

export const CALENDAR_KINDS = ['channel_a_ical', 'channel_b_ical', 'channel_c_ical', 'other_ical'] as const;
export type CalendarKind = (typeof CALENDAR_KINDS)[number];

/** The health and badge colour for each `last_status`. The label is the message `health_…`. */
const STATUS = {
  ok: { health: 'healthy', tone: 'success' },
  unchanged: { health: 'healthy', tone: 'success' },
  ok_with_problems: { health: 'some_unread', tone: 'warning' },
  incomplete: { health: 'broke_off', tone: 'warning' },
  empty: { health: 'empty', tone: 'neutral' },
  shrunk: { health: 'shrunk', tone: 'warning' },
  held: { health: 'asks', tone: 'warning' },
  // `getSyncSourceHealthBadge` uses this entry only when no mails are waiting for the host.
  waiting_for_host: { health: 'healthy', tone: 'success' },
} as const;

export interface SyncSourceHealth {
  enabled: boolean;
  running: boolean;
  last_status: string | null;
  failing_since: string | null;
  waiting_mails: number;
  forwarding_address: string | null;
}

/** Returns the badge of a source. Its label is the message `health_…`. */
export function getSyncSourceHealthBadge(source: SyncSourceHealth) {
  const { last_status } = source;
  if (!source.enabled) return { health: 'disabled', tone: 'neutral' } as const;
  if (source.running) return { health: 'syncing', tone: 'info' } as const;
  if (source.failing_since) return { health: 'not_syncing', tone: 'danger' } as const;
  if (source.waiting_mails > 0) return { health: 'mail_waits', tone: 'warning' } as const;
  if (last_status === null)
    return { health: source.forwarding_address ? 'no_mail_yet' : 'not_run_yet', tone: 'info' } as const;
  if (Object.hasOwn(STATUS, last_status)) return STATUS[last_status as keyof typeof STATUS];
  return { health: 'needs_attention', tone: 'warning' } as const;
}

/**
 * Badge colours by outcome. The labels are the messages `run_…`. A held-back run changed nothing,
 * because it needs the host's decision.
 */
export const SYNC_RUN_OUTCOME_BADGE_TONES: Record<'succeeded' | 'held_back' | 'unchanged' | 'failed', BadgeTone> = {
  succeeded: 'success',
  held_back: 'warning',
  unchanged: 'neutral',
  failed: 'danger',
};

/**
 * Kinds of changes to reservations, the most severe first. The texts are the messages `change_…`
 * for a count and `names_…` for a list.
 */
const CHANGES = ['cancelled', 'moved', 'updated', 'restored', 'created'] as const;

/** Badge colours by status. The labels are the messages `status_…`. */
export const FORWARDED_MAIL_STATUS_BADGE_TONES: Record<'applied' | 'inbox' | 'dismissed', BadgeTone> = {
  applied: 'success',
  inbox: 'warning',
  dismissed: 'neutral',
};

/**
 * Returns the text for a reason code: why a mail waits for the host, or what was done with it.
 * Returns unknown codes from newer versions unchanged.
 */
export function describeForwardedMailStatusReason(reason: string, t: NamespaceTranslator<'calendar_mail'>): string {
  const key = `reason_${reason}` as 'reason_created';
  return t.has(key) ? t(key) : reason;
}

/**
 * Returns the text for a reason code: why a calendar entry created no reservation. Returns unknown
 * codes unchanged.
 */
export function describeSkippedEntryReason(reason: string, t: NamespaceTranslator<'calendar_detail'>): string {
  const key = `skip_${reason}` as 'skip_block';
  return t.has(key) ? t(key) : reason;
}

/** The number of names listed for each kind of change. The rest is shown as a count. */
const NAMED = 3;

/**
 * Lists the names by kind of change: "Cancelled: Ana Lima. New: Ben Okri, Cleo and 2 more". Returns
 * null when a run changed nothing.
 */
export function describeCalendarChangesWithGuestNames(
  changes: readonly { what: (typeof CHANGES)[number]; guest_name: string }[],
  t: NamespaceTranslator<'calendar_detail'>,
): string | null {
  const parts = CHANGES.flatMap((kind) => {
    const all = changes.filter(({ what }) => what === kind).map(({ guest_name }) => guest_name);
    if (all.length === 0) return [];
    const some = all.slice(0, NAMED).join(', ');
    const names = all.length > NAMED ? t('names_and_more', { names: some, count: all.length - NAMED }) : some;
    return t(`names_${kind}`, { names });
  });
  return parts.length > 0 ? parts.join('. ') : null;
}

const COUNTS = ['created', 'updated', 'moved', 'restored', 'cancelled', 'vanished'] as const;

/** Counts the changes: "2 new, 1 moved". Returns null when a run changed nothing. */
export function describeSyncChangeCounts(
  counts: Record<(typeof COUNTS)[number], number>,
  t: NamespaceTranslator<'calendar_detail'>,
) {
  const words = COUNTS.filter((kind) => counts[kind] > 0).map((kind) => t(`count_${kind}`, { count: counts[kind] }));
  return words.length > 0 ? words.join(', ') : null;
}
