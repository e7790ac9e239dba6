/**
 * Sends new links to the guests of a property whose custom domain lapsed, because the domain's next
 * owner receives the requests for old links. The new link invalidates the old one.
 */
import { logger } from '@/infra/logger';
import { isAppError } from '@/shared/errors';
import { createSystemScope, type Mode } from '@/shared/scope';
import { resendReservation } from '../send';
import * as repository from './repository';

/**
 * Mails guests who have not signed and whose link uses the old domain. A repeated call mails nobody
 * again.
 */
export async function renewGuestLinks(team_id: string, mode: Mode, property_id: string): Promise<{ mailed: number }> {
  const scope = createSystemScope(team_id, mode, 'domain-check');
  let mailed = 0;
  for (const id of await repository.findReservationIdsSentBeforeDomainLapse(scope, property_id)) {
    try {
      await resendReservation(scope, id);
      mailed += 1;
    } catch (error) {
      // The reservation was signed or cancelled meanwhile, or the address is suppressed. An
      // unsigned reservation remains in the dashboard's list, where the host sees it.
      if (!isAppError(error)) throw error;
      logger().info({ reservation_id: id, code: error.code }, 'a guest’s link was not renewed');
    }
  }
  return { mailed };
}
