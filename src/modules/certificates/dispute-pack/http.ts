/** The pack's download: `/api/dispute-pack.zip`, for whoever has the link. */
import { logger } from '@/infra/logger';
import { streamOf } from '@/infra/stream';
import { openAnywhere } from '../verify/verification';
import { readPackLink } from './link';
import { disputePack } from './pack';

const refusal = (status: number, message: string) =>
  new Response(`${message}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });

/** Certificates whose pack is being made in this process: each is a page to render. */
const running = new Set<string>();

export async function downloadDisputePack(request: Request): Promise<Response> {
  const link = readPackLink(new URL(request.url).searchParams);
  if (!link) return refusal(403, 'This link has expired, or is not one of ours. Ask for another.');
  const holder = await openAnywhere(link.id);
  if (!holder) return refusal(404, 'There is no such certificate any more.');
  if (running.has(link.id)) return refusal(429, 'This pack is being downloaded already.');
  const { scope, head } = holder;
  async function* archive() {
    // Here and not before: of an answer that nobody begins to read, no end would be seen.
    running.add(head.id);
    try {
      yield* disputePack(scope, head, link?.photo ?? false);
    } catch (error) {
      // The answer has begun: all that can be done is to break it off, so that nobody takes it for whole.
      logger().error({ err: error, certificate: head.id }, 'a dispute pack broke off');
      throw error;
    } finally {
      running.delete(head.id);
    }
  }
  return new Response(streamOf(archive()), {
    headers: {
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="dispute-${head.id}.zip"`,
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex, nofollow',
    },
  });
}
