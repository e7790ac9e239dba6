/**
 * Implements GET /readyz: whether this process can serve requests now. Responds 200, or 503 with an
 * explanation. Load balancers use the status. Stopped durable work is only a warning, because
 * requests are still served and pending work is done later.
 */
import { statfs } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { config } from '@/config';
import { hasRecentDiskFullError } from '@/infra/database-unavailable';
import { getDurableRunsStoppedReason } from '@/infra/durable-runs';
import { formatLoggedDatabaseRestoreSentence } from '@/modules/public-log/rules/epochs';
import { listLoggedDatabaseRestores } from '@/modules/public-log/service';
import { getMigrationState } from './migration-state';

const DATABASE_MS = 2_000;
/** Minimum free space: the size of a segment of PostgreSQL's log. */
const LEAST_DISK_BYTES = 16 * 1024 * 1024;

export interface Readiness {
  ready: boolean;
  /** Reasons why this process cannot serve requests. */
  problems: string[];
  /** Problems that do not prevent this process from serving requests. */
  warnings: string[];
  /** Information for the operator. */
  notes: string[];
}

/**
 * Checks whether this process can serve. `stopping`: the process was asked to stop and is finishing
 * its requests.
 */
export async function checkReadiness(stopping = false): Promise<Readiness> {
  const problem = stopping ? 'The process is stopping.' : await databaseProblem();
  const warnings = [getDurableRunsStoppedReason(), await diskProblem()].filter((warning) => warning !== null);
  return { ready: problem === null, problems: problem ? [problem] : [], warnings, notes: await logNotes() };
}

/** Returns the public log's records of restores. Empty when the database is unavailable. */
async function logNotes(): Promise<string[]> {
  const restores = await listLoggedDatabaseRestores().catch(() => []);
  return restores.map(formatLoggedDatabaseRestoreSentence);
}

async function databaseProblem(): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((done) => {
    timer = setTimeout(() => done(`The database did not answer within ${DATABASE_MS / 1_000} s.`), DATABASE_MS);
  });
  const asked = getMigrationState()
    .then(({ failed, missing }) => {
      if (failed.length > 0) return `Migrations of the database did not finish: ${failed.join(', ')}.`;
      return missing.length > 0 ? `The database lacks migrations of this version: ${missing.join(', ')}.` : null;
    })
    .catch(() => 'The database cannot be reached.');
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

/**
 * Reports a full disk as a warning, because reads still work and load balancers should not remove
 * this process.
 */
async function diskProblem(): Promise<string | null> {
  if (hasRecentDiskFullError()) return 'The database’s disk is full: changes are refused.';
  if (config().database_url) return null;
  const { bavail, bsize } = await statfs(resolve(config().data_dir)).catch(() => ({ bavail: 1, bsize: Infinity }));
  return bavail * bsize < LEAST_DISK_BYTES ? 'The disk of DATA_DIR is full: changes are refused.' : null;
}

export async function sendReadinessResponse(response: ServerResponse, stopping: boolean): Promise<void> {
  const answer = await checkReadiness(stopping);
  response.writeHead(answer.ready ? 200 : 503, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(answer));
}
