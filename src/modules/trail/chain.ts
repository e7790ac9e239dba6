/**
 * The hash-chained audit trail of a reservation (DESIGN "Guest's evidence"). Each entry's hash
 * covers every field of the entry and the previous hash, so that any change, removal, insertion or
 * reordering before the last known hash is detected. A chain alone cannot show that entries at its
 * end were removed. To detect that, compare it with a hash stored elsewhere, such as the one sealed
 * into the certificate (`anchor`).
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
/** An entry with its place in the chain, as stored, returned and attached. */
export type ChainedEntry = z.infer<typeof chainedEntrySchema>;

export type ChainBreak = 'sequence' | 'prev_hash' | 'hash' | 'anchor';
export type ChainVerdict =
  | { ok: true; entries: number; head_hash: string | null }
  | { ok: false; broken_seq: number; reason: ChainBreak };

/**
 * Returns the hash of an entry: lower-case hex SHA-256 of the RFC 8785 text of an object with the
 * entry's seven fields and `prev_hash` (null for the first).
 */
export function computeChainHash(prev_hash: string | null, entry: TrailEntry): string {
  const { seq, type, created_at, actor, ip, user_agent, data } = entry;
  return sha256Hex(canonicalJson({ prev_hash, seq, type, created_at, actor, ip, user_agent, data }));
}

/**
 * Returns the time of an entry, which is never before that of the previous one. Concurrent writers
 * read their clocks before one of them waits for the lock. If the previous entry is later than
 * clocks may differ, its clock was wrong, and this entry gets its own time.
 */
export function getNextEntryTime(previous: Pick<TrailEntry, 'created_at'> | null, now: Date): Date {
  const before = previous ? Date.parse(previous.created_at) : now.getTime();
  return before > now.getTime() && before - now.getTime() <= CLOCK_SKEW_MS ? new Date(before) : now;
}

/** Appends an entry to `previous` (null for the first). Throws a ZodError for an invalid field. */
export function appendEntry(previous: ChainedEntry | null, entry: Omit<TrailEntry, 'seq'>): ChainedEntry {
  const checked = trailEntrySchema.parse({ ...entry, seq: (previous?.seq ?? 0) + 1 });
  const prev_hash = previous?.hash ?? null;
  return { ...checked, prev_hash, hash: computeChainHash(prev_hash, checked) };
}

/**
 * Verifies a whole trail, oldest entry first. `broken_seq` is the first sequence number at which
 * the chain is broken. Everything before it is unchanged. With an `anchor`, the trail must also
 * contain that entry: a sealed certificate's last entry anchors the trail that continued after
 * signing.
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

/**
 * Verifies only sequence and links, because a redaction empties the entries but not their hashes.
 */
export function verifyLinks(entries: readonly ChainedEntry[]): ChainVerdict {
  let prev_hash: string | null = null;
  for (const [index, entry] of entries.entries()) {
    if (entry.seq !== index + 1) return { ok: false, broken_seq: index + 1, reason: 'sequence' };
    if (entry.prev_hash !== prev_hash) return { ok: false, broken_seq: index + 1, reason: 'prev_hash' };
    prev_hash = entry.hash;
  }
  return { ok: true, entries: entries.length, head_hash: prev_hash };
}

/**
 * Returns the hash, or null for an entry that has no JSON form. Such an entry cannot be the one
 * written, and counts as a broken link.
 */
function hashOrNull(prev_hash: string | null, entry: TrailEntry): string | null {
  try {
    return computeChainHash(prev_hash, entry);
  } catch {
    return null;
  }
}
