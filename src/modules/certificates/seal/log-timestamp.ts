/** The public log's newest checkpoint is stamped by the authority of TSA_URL, when there is one: that it existed by then. */
import { stampCheckpoint } from '@/modules/public-log/service';
import { configuredAuthority } from './timestamp-authority';

/** Throws when the authority is away, so that the job is tried again. */
export async function stampLog(): Promise<boolean> {
  const authority = configuredAuthority();
  return authority ? stampCheckpoint(authority) : false;
}
