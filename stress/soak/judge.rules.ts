/** Values that are measured at one moment of the soak. */
export interface SoakSample {
  /** Seconds since the load began. */
  at_s: number;
  /** Number of writes acknowledged so far. */
  acknowledged: number;
  rss: number;
  heap: number;
  fds: number;
  /** Number of timers, sockets and other resources that keep Node's event loop alive. */
  resources: number;
  /** Size in bytes of the embedded database's write-ahead log, and of all its files. */
  wal: number;
  files: number;
}

export interface SoakStartAndEndComparison {
  /** The medians after memory has settled and at the end, and their differences. */
  before: SoakSample;
  after: SoakSample;
  /**
   * Growth of the database's files between `before` and `after`, in bytes per acknowledged write.
   */
  bytes_per_write: number;
  /** Violated limits. Empty when all limits hold. */
  violations: string[];
}

/** Maximum ratio of the memory at the end to the memory after it has settled. */
const MEMORY = 1.1;
/** Allowed growth in the number of open files. A few requests are always in progress. */
const MORE_FDS = 12;
const MORE_RESOURCES = 40;
/**
 * Maximum size of the write-ahead log in bytes. A checkpoint is made after 64 MB
 * (infra/db/driver/pglite.ts), and PostgreSQL keeps the previous checkpoint's files for reuse.
 */
const WAL_BYTES = 192 * 1024 ** 2;

function median(samples: readonly SoakSample[]): SoakSample {
  const of = (field: keyof SoakSample) => {
    const sorted = samples.map((sample) => sample[field]).sort((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? 0;
  };
  return Object.fromEntries(
    Object.keys(samples[0] ?? {}).map((name) => [name, of(name as keyof SoakSample)]),
  ) as unknown as SoakSample;
}

/** Compares the first fifth of the samples after `settled_s` with the last fifth. Pure. */
export function compareFirstAndLastSoakSamples(
  samples: readonly SoakSample[],
  settled_s: number,
): SoakStartAndEndComparison {
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
