/** Finds the reservation that a link's token opens. The token is the permission. */
import { hashToken } from '@/infra/encryption';
import { buildReservationRowFactsForRules, buildReservationRuleContext } from '@/modules/reservations/rule-inputs';
import { getSigningLinkState, type SigningLinkState } from '@/modules/reservations/rules/allowed-actions';
import {
  findReservationForTransition,
  type ReservationWithPropertyAndPacket,
} from '@/modules/reservations/save-transition';
import type { Scope } from '@/shared/scope';
import * as repository from './repository';

export type GuestLinkLookupResult =
  | { kind: 'unknown' }
  /** A newer link has replaced this link. */
  | { kind: 'replaced'; loaded: ReservationWithPropertyAndPacket }
  | {
      kind: 'current';
      purpose: 'signing' | 'share';
      scope: Scope;
      loaded: ReservationWithPropertyAndPacket;
      state: SigningLinkState;
    };

/** Returns the scope of a guest of this team. */
function guestScope(row: { team_id: string; mode: 'live' | 'test' }): Scope {
  return { team_id: row.team_id, mode: row.mode, actor: { kind: 'guest' } };
}

/** Opens the reservation of a signing link or a shared link. */
export async function findReservationByLink(token: string): Promise<GuestLinkLookupResult> {
  if (!/^[A-Za-z0-9_-]{16,64}$/.test(token)) return { kind: 'unknown' };
  const hash = hashToken(token);
  const found = await repository.findReservationBySigningLinkToken(hash);
  if (!found) return openRetired(hash);
  const scope = guestScope(found);
  const loaded = await findReservationForTransition(scope, found.id);
  if (!loaded) return { kind: 'unknown' };
  const purpose = found.signing_token_hash === hash ? 'signing' : 'share';
  const state = getSigningLinkState(
    buildReservationRowFactsForRules(loaded),
    buildReservationRuleContext(scope, loaded),
    loaded.now,
  );
  return { kind: 'current', purpose, scope, loaded, state };
}

async function openRetired(hash: string): Promise<GuestLinkLookupResult> {
  const retired = await repository.findRetiredSigningLinkToken(hash);
  const loaded = retired ? await findReservationForTransition(guestScope(retired), retired.reservation_id) : null;
  return loaded ? { kind: 'replaced', loaded } : { kind: 'unknown' };
}
