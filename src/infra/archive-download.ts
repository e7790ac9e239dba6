/** Answers whose body is an archive that is made while it is read. */
import { logger } from './logger';
import { streamOf } from './stream';

/** What is being read in this process: two readers of one thing would only slow each other. */
const running = new Set<string>();

/** A refusal that a person reads. */
export const plainRefusal = (status: number, message: string): Response =>
  new Response(`${message}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });

/** The archive of `key` as a download; 429 with `busy` while it is being downloaded already. */
export function archiveDownload(
  key: string,
  { filename, busy, parts }: { filename: string; busy: string; parts: () => AsyncGenerator<Uint8Array> },
): Response {
  if (running.has(key)) return plainRefusal(429, busy);
  async function* archive() {
    // Here and not before: of an answer that nobody begins to read, no end would be seen.
    running.add(key);
    try {
      yield* parts();
    } catch (error) {
      // The answer has begun: all that can be done is to break it off, so that nobody takes it for whole.
      logger().error({ err: error, archive: key }, 'a download broke off');
      throw error;
    } finally {
      running.delete(key);
    }
  }
  return new Response(streamOf(archive()), {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': contentDisposition('attachment', filename),
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex, nofollow',
    },
  });
}

/** How a header says it (RFC 6266): for old readers without what is not ASCII, for all others whole. */
export function contentDisposition(how: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${how}; filename="${ascii}"; filename*=UTF-8''${whole}`;
}
