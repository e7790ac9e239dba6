/** That the guest's copy was opened, in the trail: what a host can show who says that nothing was received. */
import { inTransaction } from '@/infra/db/transaction';
import { appendTrail, listTrail, type TrailOrigin } from '@/modules/trail/service';
import { clock } from '@/shared/clock';
import * as repository from '../repository';
import type { TokenHolder } from '../verify/verification';

/** Anyone with the link can open it any number of times; a trail tells of visits, not of each look. */
const ONE_VISIT_MS = 60 * 60 * 1000;
const MOST_VISITS = 100;

/** Once an hour; not of a copy that is revoked or redacted. */
export async function noteCopyOpened({ scope, head }: TokenHolder, origin: TrailOrigin): Promise<void> {
  if (head.redacted_at || head.copy_revoked_at) return;
  const now = clock().now();
  await inTransaction(scope, async () => {
    await repository.lockReservation(scope, head.reservation_id);
    // It may have been redacted since the link was opened: then nothing of who looks is kept.
    if ((await repository.findHead(scope, head.id))?.redacted_at !== null) return;
    const visits = (await listTrail(scope, head.reservation_id)).filter(({ type }) => type === 'copy.opened');
    const last = visits.at(-1)?.created_at.getTime() ?? 0;
    if (visits.length >= MOST_VISITS || now.getTime() - last < ONE_VISIT_MS) return;
    const item = { type: 'copy.opened', data: { certificate_id: head.id } };
    await appendTrail(scope, head.reservation_id, [item], now, origin);
  });
}
