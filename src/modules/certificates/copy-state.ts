/** Whether a signature's copy link still works; for the reservation's copy-link object. */
import { scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

export function findCopyState(scope: Scope, signature_id: string) {
  return scopedDb(scope).signature.findFirst({
    where: { id: signature_id },
    select: { id: true, copy_revoked_at: true, redacted_at: true },
  });
}
