/**
 * Serves the public log's files under /.well-known/threshold-log, for monitors and the public
 * (https://c2sp.org/tlog-tiles).
 */
import { type PublicLogFileRef, parsePublicLogFilePath } from '@/modules/public-log/rules/tiles';
import { readPublicLogFile } from '@/modules/public-log/service';

/** The cache header for tiles, which never change. Checkpoints are cached only for seconds. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const CACHE = { entries: FOR_EVER, hashes: FOR_EVER } as Partial<Record<PublicLogFileRef['kind'], string>>;

export async function handlePublicLogFileRequest(path: readonly string[]): Promise<Response> {
  const asked = parsePublicLogFilePath(path);
  const file = asked && (await readPublicLogFile(asked));
  if (!asked || file === null) return new Response('There is no such file of the log.\n', { status: 404 });
  const text = typeof file === 'string';
  return new Response(text ? file : new Uint8Array(file), {
    headers: {
      'Content-Type': text ? 'text/plain; charset=utf-8' : 'application/octet-stream',
      'Cache-Control': CACHE[asked.kind] ?? 'public, max-age=5',
      // Allows requests from monitors that run in a browser.
      'Access-Control-Allow-Origin': '*',
    },
  });
}
