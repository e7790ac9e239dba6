/**
 * The hash-chained audit trail of a reservation (design "Guest's evidence"). Each entry's hash
 * covers all its fields and the previous hash. A change, removal, insertion or reordering of
 * entries therefore breaks the chain. A removal at the end does not break it. To detect that,
 * compare the chain with a hash stored elsewhere, such as the one sealed into the certificate
 * (`anchor`).
 */
import { z } from 'zod';
import { sha256Hex, toCanonicalJson } from '@/shared/canonical-json';
import { MAX_CLOCK_SKEW_MS } from '@/shared/clock';

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

export const chainedTrailEntrySchema = trailEntrySchema.extend({
  prev_hash: z.string().nullable(),
  hash: z.string(),
});

export type TrailEntry = z.infer<typeof trailEntrySchema>;
/** An entry with its position in the chain, as in the database, the API and certificates. */
export type ChainedTrailEntry = z.infer<typeof chainedTrailEntrySchema>;

export type TrailChainBreakReason = 'sequence' | 'prev_hash' | 'hash' | 'anchor';
export type TrailChainVerdict =
  | { ok: true; entries: number; head_hash: string | null }
  | { ok: false; broken_seq: number; reason: TrailChainBreakReason };

/**
 * Returns the hash of an entry: the lower-case hex SHA-256 of RFC 8785 JSON with the entry's seven
 * fields and `prev_hash`. `prev_hash` is null for the first entry.
 */
export function computeTrailChainHash(prev_hash: string | null, entry: TrailEntry): string {
  const { seq, type, created_at, actor, ip, user_agent, data } = entry;
  return sha256Hex(toCanonicalJson({ prev_hash, seq, type, created_at, actor, ip, user_agent, data }));
}

/**
 * Returns the time of a new entry, which must not be before the previous entry's time. A writer may
 * read its clock, wait for the lock, and write after another writer. If the previous entry's time
 * is too far in the future, its writer's clock was wrong, and the result is `now`.
 */
export function getNextTrailEntryTime(previous: Pick<TrailEntry, 'created_at'> | null, now: Date): Date {
  const before = previous ? Date.parse(previous.created_at) : now.getTime();
  return before > now.getTime() && before - now.getTime() <= MAX_CLOCK_SKEW_MS ? new Date(before) : now;
}

/**
 * Appends an entry to `previous`, which is null for the first entry. Throws a ZodError for an
 * invalid field.
 */
export function appendChainedTrailEntry(
  previous: ChainedTrailEntry | null,
  entry: Omit<TrailEntry, 'seq'>,
): ChainedTrailEntry {
  const checked = trailEntrySchema.parse({ ...entry, seq: (previous?.seq ?? 0) + 1 });
  const prev_hash = previous?.hash ?? null;
  return { ...checked, prev_hash, hash: computeTrailChainHash(prev_hash, checked) };
}

/**
 * Verifies a whole trail, oldest entry first. The entries before `broken_seq` are unchanged. With
 * an `anchor`, the trail must also contain that entry. The last entry in a sealed certificate is an
 * anchor for the trail that continued after signing.
 */
export function verifyTrailChain(
  entries: readonly ChainedTrailEntry[],
  anchor?: { seq: number; hash: string } | null,
): TrailChainVerdict {
  let prev_hash: string | null = null;
  for (const [index, entry] of entries.entries()) {
    const expected_seq = index + 1;
    const broken = (reason: TrailChainBreakReason): TrailChainVerdict => ({
      ok: false,
      broken_seq: expected_seq,
      reason,
    });
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
 * Verifies only the order of entries and their links. Redaction empties entries, so their hashes
 * cannot be recomputed.
 */
export function verifyTrailChainLinks(entries: readonly ChainedTrailEntry[]): TrailChainVerdict {
  let prev_hash: string | null = null;
  for (const [index, entry] of entries.entries()) {
    if (entry.seq !== index + 1) return { ok: false, broken_seq: index + 1, reason: 'sequence' };
    if (entry.prev_hash !== prev_hash) return { ok: false, broken_seq: index + 1, reason: 'prev_hash' };
    prev_hash = entry.hash;
  }
  return { ok: true, entries: entries.length, head_hash: prev_hash };
}

/**
 * Returns the hash, or null when the entry has no JSON form. No such entry was ever written, so it
 * counts as changed.
 */
function hashOrNull(prev_hash: string | null, entry: TrailEntry): string | null {
  try {
    return computeTrailChainHash(prev_hash, entry);
  } catch {
    return null;
  }
}
