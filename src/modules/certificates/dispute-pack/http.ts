/** The pack's download: `/api/dispute-pack.zip`, for whoever has the link. */
import { archiveDownload, plainRefusal } from '@/infra/archive-download';
import { isStorageError } from '@/infra/storage/object-store';
import { packNameOf } from '../batch/file-name.rules';
import { readSealedEvidence } from '../verify/sealed-evidence';
import { openAnywhere } from '../verify/verification';
import { readPackLink } from './link';
import { packOf } from './pack';

export async function downloadDisputePack(request: Request): Promise<Response> {
  const link = readPackLink(new URL(request.url).searchParams);
  if (!link) return plainRefusal(403, 'This link has expired, or is not one of ours. Ask for another.');
  const holder = await openAnywhere(link.id);
  if (!holder) return plainRefusal(404, 'There is no such certificate any more.');
  const reading = await readSealedEvidence(holder, 'name').catch((error: unknown) => {
    if (isStorageError(error)) return null;
    throw error;
  });
  if (!reading) return plainRefusal(503, 'The storage of files is not available. Try again in a few minutes.');
  const { head, snapshot, status } = reading;
  return archiveDownload(head.id, {
    filename: packNameOf(status === 'unverified' ? null : snapshot, `${status} ${head.id}`),
    busy: 'This pack is being downloaded already.',
    parts: () => packOf(reading, link.photo),
  });
}
