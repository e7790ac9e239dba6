/**
 * The public log: the SHA-256 of every sealed file, and nothing else, in an append-only Merkle tree. Whoever kept one
 * signed checkpoint sees whether anything before it was changed, taken out or put in later, the operator's hand included.
 */
import { createHash } from 'node:crypto';
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { logKey, logOrigin } from './log-key';
import * as repository from './repository';
import { type InclusionProof, openCheckpoint, signCheckpoint, verifierKey } from './rules/checkpoint';
import { append, leafHash, nodeHash, peaksOf, proofOfLast, rootOf } from './rules/merkle';
import { type LogFile, TILE_WIDTH } from './rules/tiles';

/** Positions are 32-bit. */
const MOST_ENTRIES = 2 ** 31 - 1;

/**
 * Enters a sealed file, in the transaction that stores it; again: changes nothing. Throws when what is stored of the log is
 * not what was signed last: a tree that somebody changed is not signed.
 */
export async function enterIntoLog(scope: Scope, pdf_sha256: string): Promise<void> {
  await repository.lockLog(scope);
  if (await repository.findEntry(scope, pdf_sha256)) return;
  const last = await repository.findLast(scope);
  const position = last ? last.position + 1 : 0;
  const peaks = await repository.findNodes(scope, peaksOf(position));
  if (last && !signedRoot(last.checkpoint, position)?.equals(rootOf(peaks)))
    throw new Error('The public log is not the one that was signed last: `admin log verify` says where.');
  const grown = append(position, peaks, leafOf(pdf_sha256));
  const checkpoint = signCheckpoint({ origin: logOrigin(), size: position + 1, root: rootOf(grown.peaks) }, logKey());
  await repository.insertEntry(scope, { position, pdf_sha256, checkpoint, created_at: clock().now() }, grown.nodes);
}

/** The root of a tree of this size, when that is what this log signed; else null. */
function signedRoot(note: string, expected_size: number): Buffer | null {
  try {
    const { size, root } = openCheckpoint(note, logKey().public);
    return size === expected_size ? root : null;
  } catch {
    return null;
  }
}

export const leafOf = (pdf_sha256: string): Buffer => Buffer.from(pdf_sha256, 'hex');

/**
 * That the file is in the log, for the tree as it was when the file was entered: it stays the same proof for ever. Null when it
 * is not in it, or what is stored proves nothing.
 */
export async function proveInLog(scope: Scope, pdf_sha256: string): Promise<InclusionProof | null> {
  const entry = await repository.findEntry(scope, pdf_sha256);
  if (!entry) return null;
  const { position, checkpoint } = entry;
  const proof = proofOfLast(await repository.findNodes(scope, peaksOf(position)));
  const root = signedRoot(checkpoint, position + 1);
  if (!root?.equals(proof.reduce((hash, sibling) => nodeHash(sibling, hash), leafHash(leafOf(pdf_sha256)))))
    return null;
  return {
    leaf_index: position,
    tree_size: position + 1,
    root_hash: root.toString('base64'),
    hashes: proof.map((hash) => hash.toString('base64')),
    checkpoint,
  };
}

/** A file of the log for everybody; null when there is none, or not yet that much of it. */
export async function readLogFile(file: LogFile): Promise<string | Buffer | null> {
  if (file.kind === 'key') return `${verifierKey(logOrigin(), logKey().public)}\n`;
  if (file.kind === 'checkpoint') {
    const head = await repository.findHead();
    return head?.checkpoint ?? signCheckpoint({ origin: logOrigin(), size: 0, root: rootOf([]) }, logKey());
  }
  if (file.kind === 'stamped-checkpoint') return (await repository.findStamped())?.checkpoint ?? null;
  if (file.kind === 'stamped-checkpoint.tst') {
    const token = (await repository.findStamped())?.timestamp;
    return token ? Buffer.from(token) : null;
  }
  if (file.from + file.width > MOST_ENTRIES) return null;
  if (file.kind === 'entries') {
    const entries = await repository.listEntries(file.from, file.width);
    const length = Buffer.of(0, 32);
    return whole(entries, file.width) && Buffer.concat(entries.flatMap((each) => [length, leafOf(each.pdf_sha256)]));
  }
  const nodes = await repository.listNodes(file.level * Math.log2(TILE_WIDTH), file.from, file.width);
  return whole(nodes, file.width) && Buffer.concat(nodes.map(({ hash }) => hash));
}

const whole = <Row>(rows: readonly Row[], width: number): true | null => (rows.length === width ? true : null);

/** Has the newest checkpoint stamped, unless it is already. `stamp` takes its SHA-256 and gives the token. */
export async function stampCheckpoint(stamp: (digest: Uint8Array) => Promise<Uint8Array>): Promise<boolean> {
  const head = await repository.findHead();
  if (!head || head.timestamp) return false;
  const token = await stamp(createHash('sha256').update(head.checkpoint).digest());
  await repository.storeTimestamp(head.position, new Uint8Array(token));
  return true;
}
