/**
 * The hash-chained audit trail of a reservation (DESIGN "Guest's evidence"). Each entry's hash covers every field of
 * the entry and the hash before it, so that changing, removing, inserting or reordering anything before the last known
 * hash shows. What a chain alone cannot show is that its end was cut off: for that, compare with a hash kept elsewhere,
 * such as the one sealed into the certificate (`anchor`).
 */
import { z } from 'zod';
import { canonicalJson, sha256Hex } from '@/shared/canonical-json';
import { CLOCK_SKEW_MS } from '@/shared/clock';

const jsonObject = z.record(z.string(), z.json());

export const trailEntrySchema = z.strictObject({
  seq: z.int().positive().meta({ description: 'Grows by one from 1.' }),
  type: z.string().min(1),
  created_at: z.iso.datetime({ precision: 3 }).meta({ description: 'UTC with milliseconds.' }),
  actor: z.string().nullable(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  data: jsonObject,
});

export const chainedEntrySchema = trailEntrySchema.extend({
  prev_hash: z.string().nullable(),
  hash: z.string(),
});

export type TrailEntry = z.infer<typeof trailEntrySchema>;
/** An entry with its place in the chain, as it is stored, returned by the API and attached to the certificate. */
export type ChainedEntry = z.infer<typeof chainedEntrySchema>;

export type ChainBreak = 'sequence' | 'prev_hash' | 'hash' | 'anchor';
export type ChainVerdict =
  | { ok: true; entries: number; head_hash: string | null }
  | { ok: false; broken_seq: number; reason: ChainBreak };

/**
 * The hash of an entry: lower-case hex SHA-256 of the RFC 8785 text of the object that holds the seven fields of the
 * entry and `prev_hash` (null for the first).
 */
export function chainHash(prev_hash: string | null, entry: TrailEntry): string {
  const { seq, type, created_at, actor, ip, user_agent, data } = entry;
  return sha256Hex(canonicalJson({ prev_hash, seq, type, created_at, actor, ip, user_agent, data }));
}

/**
 * When an entry happened: never before the one it follows. Two who wrote at the same time read their clocks before one waited
 * for the other. A clock that ran ahead of this one by more than clocks may differ was wrong: then the entry keeps its time.
 */
export function timeAfter(previous: Pick<TrailEntry, 'created_at'> | null, now: Date): Date {
  const before = previous ? Date.parse(previous.created_at) : now.getTime();
  return before > now.getTime() && before - now.getTime() <= CLOCK_SKEW_MS ? new Date(before) : now;
}

/** Puts an entry after `previous` (null for the first). Throws a ZodError when a field has the wrong form. */
export function appendEntry(previous: ChainedEntry | null, entry: Omit<TrailEntry, 'seq'>): ChainedEntry {
  const checked = trailEntrySchema.parse({ ...entry, seq: (previous?.seq ?? 0) + 1 });
  const prev_hash = previous?.hash ?? null;
  return { ...checked, prev_hash, hash: chainHash(prev_hash, checked) };
}

/**
 * Checks a whole trail, first entry first. `broken_seq` is the sequence number that belongs at the first place where
 * the chain does not hold; everything before it is as it was written. With an `anchor`, the trail must also contain
 * that entry: a sealed certificate's last entry is the anchor for the trail that went on after signing.
 */
export function verifyChain(
  entries: readonly ChainedEntry[],
  anchor?: { seq: number; hash: string } | null,
): ChainVerdict {
  let prev_hash: string | null = null;
  for (const [index, entry] of entries.entries()) {
    const expected_seq = index + 1;
    const broken = (reason: ChainBreak): ChainVerdict => ({ ok: false, broken_seq: expected_seq, reason });
    if (entry.seq !== expected_seq) return broken('sequence');
    if (entry.prev_hash !== prev_hash) return broken('prev_hash');
    if (hashOrNull(prev_hash, entry) !== entry.hash) return broken('hash');
    prev_hash = entry.hash;
  }
  if (anchor && entries[anchor.seq - 1]?.hash !== anchor.hash) {
    return { ok: false, broken_seq: anchor.seq, reason: 'anchor' };
  }
  return { ok: true, entries: entries.length, head_hash: prev_hash };
}

/** Checks sequence and links alone: what is left to check once redaction emptied the entries and kept their hashes. */
export function verifyLinks(entries: readonly ChainedEntry[]): ChainVerdict {
  let prev_hash: string | null = null;
  for (const [index, entry] of entries.entries()) {
    if (entry.seq !== index + 1) return { ok: false, broken_seq: index + 1, reason: 'sequence' };
    if (entry.prev_hash !== prev_hash) return { ok: false, broken_seq: index + 1, reason: 'prev_hash' };
    prev_hash = entry.hash;
  }
  return { ok: true, entries: entries.length, head_hash: prev_hash };
}

/** An entry that has no JSON form cannot be what was written; it is a broken link, not a crash. */
function hashOrNull(prev_hash: string | null, entry: TrailEntry): string | null {
  try {
    return chainHash(prev_hash, entry);
  } catch {
    return null;
  }
}
