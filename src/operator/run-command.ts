/**
 * Chooses the process that executes a command. With an external PostgreSQL it is this process. With
 * the embedded database it is the running server, or this process when no server runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '@/config';
import { closeDatabase } from '@/infra/db/client';
import { openDatabase } from '@/infra/db/open';
import { callOperatorSocket, OperatorSocketUnavailableError } from '@/infra/operator-socket';
import { acquireInstanceLock, DataDirInUseError, type InstanceLock } from '@/infra/process/instance-lock';
import type { StoredFileMoveReport } from '@/modules/certificates/files/move';
import { writeBackup } from './backup/backup';
import type { EmbeddedDatabaseCopy } from './backup/backup-copy';
import { removeLeftoverBackupCopies, writeBackupFromDatabaseCopy } from './backup/backup-of-copy';
import { checkBackup } from './backup/check';
import { restoreBackupIntoEmbeddedDatabase, restoreExternalBackup } from './backup/restore';
import type { ParsedOperatorCommand } from './command-line/commands';
import { executeCommand } from './execute';
import { createProgressReporter } from './progress';
import { moveAllStoredFiles, moveStoredFileBatch, type StorageMoveResult } from './storage-move';

/** Time to wait for a server that is starting or stopping. */
const SERVER_IN_BETWEEN_MS = 30_000;
const RETRY_MS = 150;

/** Executes the command and returns the result for the operator. Throws a one-line message. */
export async function executeOperatorCommand(command: ParsedOperatorCommand): Promise<unknown> {
  if (command.name === 'backup verify') return checkBackup(command.options.file, createProgressReporter('checked'));
  // When the certificate is given as an option, the command needs no database and works anywhere.
  if (command.name === 'certificate verify' && command.options.certificate) return executeCommand(command);
  if (config().database_url) {
    if (command.name === 'restore')
      return restoreExternalBackup(command.options.in, createProgressReporter('restored'));
    if (command.name === 'status')
      throw new Error('With DATABASE_URL there may be several servers. Check each at /healthz.');
    return executeHere(command);
  }
  // Only a running server can report its status.
  if (command.name === 'status') return callOperatorSocket(config().data_dir, command);
  if (command.name === 'backup') await removeLeftoverBackupCopies();
  const lock = await reachDatabase(command);
  if (!lock.taken) {
    if (command.name === 'storage move') return goOnMoving(command, lock.answer as StoredFileMoveReport);
    return command.name === 'backup'
      ? writeBackupFromDatabaseCopy(command.options.out, lock.answer as EmbeddedDatabaseCopy)
      : lock.answer;
  }
  try {
    if (command.name === 'restore')
      return await restoreBackupIntoEmbeddedDatabase(command.options.in, createProgressReporter('restored'));
    return await executeHere(command);
  } finally {
    await lock.taken.release();
  }
}

async function executeHere(command: ParsedOperatorCommand): Promise<unknown> {
  await openDatabase({ patient: true });
  try {
    if (command.name === 'backup') return await writeBackup(command.options.out, createProgressReporter('written'));
    if (command.name === 'storage move') {
      const { to, after } = command.options;
      return await moveAllStoredFiles(to, after, (from) => moveStoredFileBatch(to, from));
    }
    return await executeCommand(command);
  } finally {
    await closeDatabase();
  }
}

/** Continues a move, because the server moves files only for a few seconds per call. */
function goOnMoving(
  command: Extract<ParsedOperatorCommand, { name: 'storage move' }>,
  first: StoredFileMoveReport,
): Promise<StorageMoveResult> {
  const { to } = command.options;
  const next = (after: string) => callOperatorSocket(config().data_dir, { ...command, options: { to, after } });
  let made: StoredFileMoveReport | null = first;
  return moveAllStoredFiles(to, command.options.after, async (after) => {
    const report = made ?? ((await next(after)) as StoredFileMoveReport);
    made = null;
    return report;
  });
}

type Reached = { taken: InstanceLock } | { taken: null; answer: unknown };

/**
 * Returns the answer of a running server. If no server runs, takes the instance lock and returns
 * it. A server that holds the lock but does not listen is starting or stopping.
 */
async function reachDatabase(command: ParsedOperatorCommand): Promise<Reached> {
  const { data_dir } = config();
  const deadline = Date.now() + SERVER_IN_BETWEEN_MS;
  for (;;) {
    try {
      return { taken: null, answer: await callOperatorSocket(data_dir, command) };
    } catch (error) {
      if (!(error instanceof OperatorSocketUnavailableError)) throw error;
    }
    try {
      return { taken: await acquireInstanceLock(data_dir, { purpose: 'command' }) };
    } catch (error) {
      if (!(error instanceof DataDirInUseError) || Date.now() > deadline) throw error;
    }
    await sleep(RETRY_MS);
  }
}
