/**
 * New links for the guests of a property whose custom domain was given up: who has the domain now
 * receives what guests open there. The earlier link dies with the new one.
 */
import { logger } from '@/infra/logger';
import { isAppError } from '@/shared/errors';
import { type Mode, systemScope } from '@/shared/scope';
import { resendReservation } from '../send';
import * as repository from './repository';

/**
 * Mails guests who have not signed and have a link of the old domain. Repeating it mails nobody
 * again.
 */
export async function renewLinks(team_id: string, mode: Mode, property_id: string): Promise<{ mailed: number }> {
  const scope = systemScope(team_id, mode, 'domain-check');
  let mailed = 0;
  for (const id of await repository.findWithOldDomain(scope, property_id)) {
    try {
      await resendReservation(scope, id);
      mailed += 1;
    } catch (error) {
      // Signed or cancelled meanwhile, or the address is suppressed: the host sees what is unsigned.
      if (!isAppError(error)) throw error;
      logger().info({ reservation_id: id, code: error.code }, 'a guest’s link was not renewed');
    }
  }
  return { mailed };
}
