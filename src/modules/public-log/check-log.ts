/** Reads the whole log and computes all of it anew: `admin log verify`. */
import { logKey } from './log-key';
import * as repository from './repository';
import { type Checkpoint, openCheckpoint } from './rules/checkpoint';
import { append, rootOf } from './rules/merkle';
import { leafOf } from './service';

const BATCH = 1_000;

export interface LogVerdict {
  /** What is wrong, in English sentences. */
  problems: string[];
  tree_size: number;
  /** Base64, computed from the entries. */
  root_hash: string;
}

/**
 * That every entry is in its place, each checkpoint is signed and is that of the entries up to it, and every kept hash is
 * right. With `kept`, checkpoints that somebody saved: that the log still begins with what they signed.
 */
export async function checkLog(kept: readonly string[] = []): Promise<LogVerdict> {
  const problems: string[] = [];
  const known = kept.flatMap((note) => {
    const checkpoint = opened(note, 'A checkpoint that was given', problems);
    return checkpoint ? [checkpoint] : [];
  });
  let size = 0;
  let nodes = 0;
  let peaks: Buffer[] = [];
  for (;;) {
    const entries = await repository.listEntries(size, BATCH);
    const stored = await storedNodes(size, entries.length);
    for (const entry of entries) {
      if (entry.position !== size)
        return { problems: [...problems, `Entry ${size} is missing.`], ...summary(size, peaks) };
      const grown = append(size, peaks, leafOf(entry.pdf_sha256));
      for (const { level, position, hash } of grown.nodes)
        if (!stored.get(`${level}/${position}`)?.equals(hash)) problems.push(`The hash ${level}/${position} is wrong.`);
      ({ peaks } = grown);
      nodes += grown.nodes.length;
      size += 1;
      const signed = opened(entry.checkpoint, `The checkpoint of entry ${entry.position}`, problems);
      if (signed && (signed.size !== size || !signed.root.equals(rootOf(peaks))))
        problems.push(`Entry ${entry.position} is not what was signed.`);
      for (const one of known)
        if (one.size === size && !one.root.equals(rootOf(peaks)))
          problems.push(`The first ${size} entries are not those that the checkpoint of ${one.origin} signed.`);
    }
    if (entries.length < BATCH) break;
  }
  if ((await repository.countNodes()) > nodes) problems.push('There are hashes of no entry.');
  for (const one of known)
    if (one.size > size) problems.push(`A checkpoint signed ${one.size} entries; the log has ${size}.`);
  return { problems, ...summary(size, peaks) };
}

const summary = (size: number, peaks: readonly Buffer[]) => ({
  tree_size: size,
  root_hash: rootOf(peaks).toString('base64'),
});

function opened(note: string, what: string, problems: string[]): Checkpoint | null {
  try {
    return openCheckpoint(note, logKey().public);
  } catch (error) {
    problems.push(`${what}: ${(error as Error).message}`);
    return null;
  }
}

/** The kept hashes that became whole with these entries. */
async function storedNodes(from: number, count: number): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  for (let level = 0; level < 32; level += 1) {
    const first = Math.floor(from / 2 ** level);
    const became_whole = Math.floor((from + count) / 2 ** level) - first;
    // A subtree becomes whole only together with one of half its size.
    if (became_whole === 0) break;
    const rows = await repository.listNodes(level, first, became_whole);
    for (const { position, hash } of rows) found.set(`${level}/${position}`, Buffer.from(hash));
  }
  return found;
}
