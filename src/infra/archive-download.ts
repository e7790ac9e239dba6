/** Sends archives as response bodies while they are being generated. */
import { logger } from './logger';

/**
 * Keys of the archives that this process is sending. A second download of an archive would only
 * slow the first.
 */
const running = new Set<string>();

/** Returns an error response for people, as plain text. */
export const createPlainTextErrorResponse = (status: number, message: string): Response =>
  new Response(`${message}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });

/**
 * Responds with an archive as a download. While another download with the same `key` is running,
 * responds with 429 and the text `busy`.
 */
export function createZipDownloadResponse(
  key: string,
  { filename, busy, parts }: { filename: string; busy: string; parts: () => AsyncGenerator<Uint8Array> },
): Response {
  if (running.has(key)) return createPlainTextErrorResponse(429, busy);
  async function* archive() {
    // The key is registered only when the client starts to read the body. Otherwise the key of an
    // archive that is never read would stay registered.
    running.add(key);
    try {
      yield* parts();
    } catch (error) {
      // The status has already been sent. Aborting the connection makes the client discard the
      // incomplete archive.
      logger().error({ err: error, archive: key }, 'a download was interrupted');
      throw error;
    } finally {
      running.delete(key);
    }
  }
  return new Response(streamFromGenerator(archive()), {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': buildContentDisposition('attachment', filename),
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex, nofollow',
    },
  });
}

/**
 * Builds a `Content-Disposition` header (RFC 6266) with an ASCII name for old clients and the full
 * name for all other clients.
 */
export function buildContentDisposition(how: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${how}; filename="${ascii}"; filename*=UTF-8''${whole}`;
}

/**
 * Returns a response body from a generator. The generator runs on demand, and ends when the client
 * disconnects.
 */
export function streamFromGenerator(parts: AsyncGenerator<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}
