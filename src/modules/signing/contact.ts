/** A guest gave the address that no calendar knew, and confirmed it: it is stored, and the packet goes out to it. */

import { signingUrl } from '@/modules/links/urls';
import * as lifecycle from '@/modules/reservations/rules/lifecycle';
import { changeReservation, loadReservation } from '@/modules/reservations/save-transition';
import { sendReservation } from '@/modules/reservations/send';
import type { TrailOrigin } from '@/modules/trail/service';
import type { GuestLocale } from '@/shared/guest-text/locale';
import { maskEmail } from '@/shared/guest-text/mask';
import type { Scope } from '@/shared/scope';

/** Stores the confirmed address, sends, and answers the signing link. Throws the refusals of lifecycle.update and lifecycle.send. */
export async function acceptContact(
  scope: Scope,
  id: string,
  email: string,
  locale: GuestLocale,
  origin: TrailOrigin,
): Promise<string> {
  await changeReservation(scope, id, (facts) => lifecycle.update(facts, { guest_email: email }), {
    origin,
    columns: { guest_locale: locale, guest_email_relay: false },
    trail: () => [{ type: 'guest.address_confirmed', data: { sent_to: maskEmail(email) } }],
  });
  await sendReservation(scope, id);
  const { row, property } = await loadReservation(scope, id);
  return signingUrl(property, row.id, row.token_generation);
}
