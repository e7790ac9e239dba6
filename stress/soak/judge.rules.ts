/** Whether a server that worked for long has kept to its size. Pure. */

/** What was measured at a moment of the soak. */
export interface Sample {
  /** Since the load began. */
  at_s: number;
  /** Writes that were acknowledged so far. */
  acknowledged: number;
  rss: number;
  heap: number;
  fds: number;
  /** Timers, sockets and whatever else keeps Node's loop alive. */
  resources: number;
  /** The write-ahead log of the embedded database, and all of its files. */
  wal: number;
  files: number;
}

export interface SoakVerdict {
  /** Medians after settling and at the end, and what changed. */
  before: Sample;
  after: Sample;
  /** Of the database's files for each acknowledged write, between the two, in bytes. */
  bytes_per_write: number;
  /** Empty when everything is as it must be. */
  violations: string[];
}

/** Memory at the end, at most this much of what it was when the server had settled. */
const MEMORY = 1.1;
/** More than a request or two that happens to be under way. */
const MORE_FDS = 12;
const MORE_RESOURCES = 40;
/** A checkpoint is made after 64 MB (infra/db/driver/log-length.ts); files of the one before are kept to be used again. */
const WAL_BYTES = 192 * 1024 ** 2;

function median(samples: readonly Sample[]): Sample {
  const of = (field: keyof Sample) => {
    const sorted = samples.map((sample) => sample[field]).sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? 0;
  };
  return Object.fromEntries(
    Object.keys(samples[0] ?? {}).map((name) => [name, of(name as keyof Sample)]),
  ) as unknown as Sample;
}

/** `settled_s`: from when on it is held to what it was. A fifth of the rest is the beginning, and a fifth the end. */
export function judge(samples: readonly Sample[], settled_s: number): SoakVerdict {
  const settled = samples.filter(({ at_s }) => at_s >= settled_s);
  const part = Math.floor(settled.length / 5);
  if (part < 3) throw new Error('Too few samples to say anything.');
  const [before, after] = [median(settled.slice(0, part)), median(settled.slice(-part))];
  const violations: string[] = [];
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  if (after.rss > before.rss * MEMORY)
    violations.push(`memory grew from ${megabytes(before.rss)} to ${megabytes(after.rss)}`);
  if (after.fds > before.fds + MORE_FDS) violations.push(`open files grew from ${before.fds} to ${after.fds}`);
  if (after.resources > before.resources + MORE_RESOURCES)
    violations.push(`timers and sockets grew from ${before.resources} to ${after.resources}`);
  const wal = Math.max(...samples.map((sample) => sample.wal));
  if (wal > WAL_BYTES) violations.push(`the write-ahead log grew to ${megabytes(wal)}`);
  const writes = after.acknowledged - before.acknowledged;
  if (writes <= 0) violations.push('nothing was acknowledged any more');
  const grown = after.files - after.wal - (before.files - before.wal);
  return { before, after, bytes_per_write: writes > 0 ? Math.round(grown / writes) : 0, violations };
}
