/**
 * GET /readyz: whether this process can do its work now. 200, or 503 with what is wrong in words; for a balancer and for
 * whoever looks after it. Unlike /healthz it asks the database and whoever does the durable work.
 */
import type { ServerResponse } from 'node:http';
import { systemDb } from '@/infra/db/client';
import { durableProblem } from '@/infra/durable-runs';
import { restoreSentence } from '@/modules/public-log/rules/epochs';
import { listRestores } from '@/modules/public-log/service';

const DATABASE_MS = 2_000;

export interface Readiness {
  ready: boolean;
  problems: string[];
  /** What an operator ought to know and no balancer has to act on. */
  notes: string[];
}

export async function readiness(): Promise<Readiness> {
  const problems = [await databaseProblem(), durableProblem()].filter((problem) => problem !== null);
  return { ready: problems.length === 0, problems, notes: await logNotes() };
}

/** What the public log tells of restores. Empty while the database cannot say. */
async function logNotes(): Promise<string[]> {
  const restores = await listRestores().catch(() => []);
  return restores.map(restoreSentence);
}

async function databaseProblem(): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`The database did not answer within ${DATABASE_MS / 1_000} s.`), DATABASE_MS);
  });
  const asked = systemDb().$queryRaw`SELECT 1`.then(() => null).catch(() => 'The database cannot be reached.');
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}

export async function serveReadiness(response: ServerResponse): Promise<void> {
  const answer = await readiness();
  response.writeHead(answer.ready ? 200 : 503, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(answer));
}
