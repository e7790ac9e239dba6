/**
 * The public log: the SHA-256 of every sealed file in an append-only Merkle tree. Anyone who saved
 * one signed checkpoint can detect whether an earlier entry was changed, removed or inserted, even
 * by the operator.
 */
import { createHash } from 'node:crypto';
import type { LogEntry } from '@/generated/prisma/client';
import { inSystemTransaction, runAfterCommit } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import {
  type ExternallyStoredCheckpoint,
  getExternallyStoredCheckpoint,
  loadExternallyStoredCheckpoint,
  rememberCheckpoint,
} from './known-checkpoint';
import { getLogSigningKeyPair, getPublicLogNameInCheckpoints } from './log-key';
import type { PublicLogStateForAppend, ScopeOrInstallation } from './repository';
import * as repository from './repository';
import { formatLogVerifierKey, type InclusionProof, signCheckpoint, verifyCheckpointNote } from './rules/checkpoint';
import {
  FIRST_LOG_EPOCH_NUMBER,
  getLogEpochTreeName,
  hashPublishedBackupRestoreStatement,
  type LoggedDatabaseRestore,
  parseLogEpochNumber,
  parsePublishedBackupRestoreStatement,
  renderPublishedBackupRestoreStatement,
} from './rules/epochs';
import {
  appendLeafToTree,
  buildLastLeafInclusionProof,
  computeMerkleRoot,
  getMerklePeakPositions,
  hashLeaf,
  hashNode,
} from './rules/merkle';
import { MAX_HASHES_PER_TILE, type PublicLogFileRef } from './rules/tiles';

/** The maximum number of entries. Positions are 32-bit. */
const MAX_ENTRIES = 2 ** 31 - 1;
/**
 * The number of latest entries that each append checks for gaps. `findGapInPublicLog` checks the
 * whole log.
 */
const CHECKED_ENTRIES = 256;

/**
 * Thrown when the stored log does not match the signed checkpoint. Nothing is appended in that
 * case.
 */
class LogStopped extends Error {
  override name = 'LogStopped';
  constructor(reason: string) {
    super(`${reason} Nothing is sealed until that is settled: \`admin log verify\` says where.`);
  }
}

/**
 * Adds a sealed file to the log, in the transaction that stores the file. A repeated call changes
 * nothing. Throws when the stored log does not match the last signed checkpoint.
 */
export async function addSealedFileToLog(scope: Scope, pdf_sha256: string): Promise<void> {
  await repository.lockPublicLog(scope);
  const known = getExternallyStoredCheckpoint();
  const last = await repository.findPublicLogStateForAppend(scope, { pdf_sha256, known, recent: CHECKED_ENTRIES });
  if (last?.entered) return;
  if (known && !isCheckpoint(last?.known, known) && !(await covers(scope, known)))
    throw new LogStopped('The public log is older than its last checkpoint.');
  await appendLeaf(scope, last?.epoch ?? FIRST_LOG_EPOCH_NUMBER, last, pdf_sha256);
}

/** Appends to an epoch. `last` is the epoch's last entry, or null when the epoch is empty. */
async function appendLeaf(
  writer: ScopeOrInstallation,
  epoch: number,
  last: PublicLogStateForAppend | null,
  pdf_sha256: string,
): Promise<void> {
  const position = last ? last.position + 1 : 0;
  const peaks = last ? last.peaks.map((hash) => Buffer.from(hash, 'hex')) : [];
  if (last && !signedRoot(last.checkpoint, position)?.equals(computeMerkleRoot(peaks)))
    throw new LogStopped('The public log is not the one that was signed last.');
  if (last && last.recent !== Math.min(position, CHECKED_ENTRIES))
    throw new LogStopped('An entry of the public log is missing.');
  const grown = appendLeafToTree(position, peaks, convertPdfHashToLogLeaf(pdf_sha256));
  const origin = getLogEpochTreeName(getPublicLogNameInCheckpoints(), epoch);
  const checkpoint = signCheckpoint(
    { origin, size: position + 1, root: computeMerkleRoot(grown.peaks) },
    getLogSigningKeyPair(),
  );
  const entry = { epoch, position, pdf_sha256, checkpoint, created_at: clock().now() };
  await repository.insertLogEntry(writer, entry, grown.nodes);
  runAfterCommit(() => rememberCheckpoint(checkpoint));
}

/**
 * Returns whether the log still contains the tree of a checkpoint, or the restore statement of the
 * next epoch declares the loss of its entries.
 */
async function covers(
  writer: ScopeOrInstallation,
  { epoch, size, root }: ExternallyStoredCheckpoint,
): Promise<boolean> {
  if (size === 0) return true;
  const entry = await repository.findLogEntryAtPosition(writer, epoch, size - 1);
  if (isCheckpoint(entry?.checkpoint, { size, root })) return true;
  const next = await repository.findPublicLogEpoch(writer, epoch + 1);
  const stated = next && parsePublishedBackupRestoreStatement(next.statement).last_known;
  return stated ? sizeOf(stated) >= size : false;
}

const isCheckpoint = (note: string | null | undefined, { size, root }: { size: number; root: Buffer }): boolean =>
  signedRoot(note ?? '', size)?.equals(root) === true;

const sizeOf = (note: string): number => Number(note.split('\n')[1]);

/**
 * Compares the database's log with the newest checkpoint known outside of the database. If the log
 * is older or different, begins a new epoch, because appending would sign two trees under one name.
 * After a restore (`restored`), also begins a new epoch when no checkpoint is known. Returns the
 * restore statement that begins the new epoch, or null when the log continues.
 */
export async function startEpochIfLogDiverged({ restored = false } = {}): Promise<string | null> {
  const known = await loadExternallyStoredCheckpoint();
  if (!known && !restored) return null;
  return inSystemTransaction(async () => {
    await repository.lockPublicLog('installation');
    if (known && (await covers('installation', known))) return null;
    const head = await repository.findLastLogEntry();
    const epoch = Math.max(head?.epoch ?? FIRST_LOG_EPOCH_NUMBER, known?.epoch ?? FIRST_LOG_EPOCH_NUMBER) + 1;
    const began_at = clock().now();
    const statement = renderPublishedBackupRestoreStatement({
      origin: getLogEpochTreeName(getPublicLogNameInCheckpoints(), epoch),
      began_at: began_at.toISOString(),
      restored: head && verifyCheckpointNote(head.checkpoint, getLogSigningKeyPair().public),
      last_known: known?.note ?? head?.checkpoint ?? null,
    });
    await repository.insertPublicLogEpoch(epoch, statement, began_at);
    await appendLeaf('installation', epoch, null, hashPublishedBackupRestoreStatement(statement));
    return statement;
  });
}

/** Returns the restores recorded in the log, oldest first. */
export async function listLoggedDatabaseRestores(): Promise<LoggedDatabaseRestore[]> {
  const epochs = await repository.listPublicLogEpochs();
  return Promise.all(
    epochs.map(async ({ number, statement, began_at }) => {
      const { restored, last_known } = parsePublishedBackupRestoreStatement(statement);
      const kept = restored && (await repository.findLastLogEntry(parseLogEpochNumber(restored.origin)));
      const lost = last_known ? sizeOf(last_known) - (restored?.size ?? 0) : null;
      return { epoch: number, began_at, kept_until: kept?.created_at ?? null, lost_entries: lost };
    }),
  );
}

/** Returns the first missing position in the log, or null. */
export async function findGapInPublicLog(): Promise<{ epoch: number; position: number } | null> {
  const head = await repository.findLastLogEntry();
  for (let epoch = FIRST_LOG_EPOCH_NUMBER; epoch <= (head?.epoch ?? 0); epoch += 1) {
    const position = await repository.findFirstMissingLogPosition(epoch);
    if (position !== null) return { epoch, position };
  }
  return null;
}

/**
 * Returns the root hash in a note that this log signed for a tree of this size. Returns null for
 * any other note.
 */
function signedRoot(note: string, expected_size: number): Buffer | null {
  try {
    const { size, root } = verifyCheckpointNote(note, getLogSigningKeyPair().public);
    return size === expected_size ? root : null;
  } catch {
    return null;
  }
}

export const convertPdfHashToLogLeaf = (pdf_sha256: string): Buffer => Buffer.from(pdf_sha256, 'hex');

/**
 * Proves that a file is in the log. The proof is for the tree that the file's entry completed, so
 * it never changes. Returns null when the file is not in the log or the stored data is
 * inconsistent.
 */
export async function buildLogInclusionProof(
  reader: ScopeOrInstallation,
  pdf_sha256: string,
): Promise<InclusionProof | null> {
  const entry = await repository.findLogEntryByPdfHash(reader, pdf_sha256);
  if (!entry) return null;
  const { epoch, position, checkpoint } = entry;
  const proof = buildLastLeafInclusionProof(
    await repository.findMerkleNodes(reader, epoch, getMerklePeakPositions(position)),
  );
  const root = signedRoot(checkpoint, position + 1);
  if (
    !root?.equals(
      proof.reduce((hash, sibling) => hashNode(sibling, hash), hashLeaf(convertPdfHashToLogLeaf(pdf_sha256))),
    )
  )
    return null;
  return {
    leaf_index: position,
    tree_size: position + 1,
    root_hash: root.toString('base64'),
    hashes: proof.map((hash) => hash.toString('base64')),
    checkpoint,
  };
}

/** Returns a public file of an epoch, or null when it does not exist. */
export async function readPublicLogFile(file: PublicLogFileRef): Promise<string | Buffer | null> {
  const { epoch } = file;
  const statement =
    epoch === FIRST_LOG_EPOCH_NUMBER ? null : await repository.findPublicLogEpoch('installation', epoch);
  if (epoch !== FIRST_LOG_EPOCH_NUMBER && !statement) return null;
  const origin = getLogEpochTreeName(getPublicLogNameInCheckpoints(), epoch);
  if (file.kind === 'restore') return statement?.statement ?? null;
  if (file.kind === 'key') return `${formatLogVerifierKey(origin, getLogSigningKeyPair().public)}\n`;
  if (file.kind === 'checkpoint') {
    const head = await repository.findLastLogEntry(epoch);
    return head
      ? withCosignatures(head)
      : signCheckpoint({ origin, size: 0, root: computeMerkleRoot([]) }, getLogSigningKeyPair());
  }
  if (file.kind === 'cosigned-checkpoint') {
    const cosigned = await repository.findNewestLogEntryWhereFieldIsSet('cosignatures', epoch);
    return cosigned && withCosignatures(cosigned);
  }
  if (file.kind === 'stamped-checkpoint')
    return (await repository.findNewestLogEntryWhereFieldIsSet('timestamp', epoch))?.checkpoint ?? null;
  if (file.kind === 'stamped-checkpoint.tst') {
    const token = (await repository.findNewestLogEntryWhereFieldIsSet('timestamp', epoch))?.timestamp;
    return token ? Buffer.from(token) : null;
  }
  if (file.from + file.width > MAX_ENTRIES) return null;
  if (file.kind === 'entries') {
    const entries = await repository.listLogEntries(epoch, file.from, file.width);
    const length = Buffer.of(0, 32);
    return (
      isComplete(entries, file.width) &&
      Buffer.concat(entries.flatMap((each) => [length, convertPdfHashToLogLeaf(each.pdf_sha256)]))
    );
  }
  const nodes = await repository.listMerkleNodes(
    epoch,
    file.level * Math.log2(MAX_HASHES_PER_TILE),
    file.from,
    file.width,
  );
  return isComplete(nodes, file.width) && Buffer.concat(nodes.map(({ hash }) => hash));
}

const withCosignatures = ({ checkpoint, cosignatures }: LogEntry): string => checkpoint + (cosignatures ?? '');

const isComplete = <Row>(rows: readonly Row[], width: number): true | null => (rows.length === width ? true : null);

/**
 * Requests a timestamp for the newest checkpoint unless it has one. `stamp` returns the token for a
 * SHA-256 digest.
 */
export async function requestCheckpointTimestamp(stamp: (digest: Uint8Array) => Promise<Uint8Array>): Promise<boolean> {
  const head = await repository.findLastLogEntry();
  if (!head || head.timestamp) return false;
  const token = await stamp(createHash('sha256').update(head.checkpoint).digest());
  await repository.saveTimestampOrCosignaturesOfLogEntry(head, { timestamp: new Uint8Array(token) });
  return true;
}
