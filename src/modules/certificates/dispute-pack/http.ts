/** The pack's download: `/api/dispute-pack.zip`, for whoever has the link. */
import { archiveDownload, plainRefusal } from '@/infra/archive-download';
import { openAnywhere } from '../verify/verification';
import { readPackLink } from './link';
import { disputePack } from './pack';

export async function downloadDisputePack(request: Request): Promise<Response> {
  const link = readPackLink(new URL(request.url).searchParams);
  if (!link) return plainRefusal(403, 'This link has expired, or is not one of ours. Ask for another.');
  const holder = await openAnywhere(link.id);
  if (!holder) return plainRefusal(404, 'There is no such certificate any more.');
  const { scope, head } = holder;
  return archiveDownload(head.id, {
    filename: `dispute-${head.id}.zip`,
    busy: 'This pack is being downloaded already.',
    parts: () => disputePack(scope, head, link.photo),
  });
}
