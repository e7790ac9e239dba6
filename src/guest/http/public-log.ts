/** The public log's files under /.well-known/threshold-log, for monitors and for anyone (https://c2sp.org/tlog-tiles). */
import { logFile } from '@/modules/public-log/rules/tiles';
import { readLogFile } from '@/modules/public-log/service';

/** A checkpoint is of this moment; what is in a tile never changes. */
const SECONDS = { checkpoint: 5, key: 300, entries: 31_536_000, hashes: 31_536_000 } as const;

export async function publicLogFile(path: readonly string[]): Promise<Response> {
  const asked = logFile(path);
  const file = asked && (await readLogFile(asked));
  if (!asked || file === null) return new Response('There is no such file of the log.\n', { status: 404 });
  const text = typeof file === 'string';
  return new Response(text ? file : new Uint8Array(file), {
    headers: {
      'Content-Type': text ? 'text/plain; charset=utf-8' : 'application/octet-stream',
      'Cache-Control': `public, max-age=${SECONDS[asked.kind]}${text ? '' : ', immutable'}`,
      // Whoever watches the log from a page of theirs may.
      'Access-Control-Allow-Origin': '*',
    },
  });
}
