/**
 * Stores an address that the guest entered and confirmed on a shared link, and mails the packet to
 * it.
 */

import { buildSigningUrl } from '@/modules/links/urls';
import * as lifecycle from '@/modules/reservations/rules/lifecycle';
import { changeReservationAndMailPacket } from '@/modules/reservations/send';
import type { GuestBrowserDetails } from '@/modules/trail/service';
import type { GuestLocale } from '@/shared/guest-text/locale';
import { maskEmailAddress } from '@/shared/guest-text/mask';
import type { Scope } from '@/shared/scope';

/**
 * Stores the address and sends the packet in one transaction. Returns the signing link. Throws the
 * refusals of lifecycle.storeMissingGuestEmailAndSendPacket.
 */
export async function storeGuestEmailAddressAndSendPacket(
  scope: Scope,
  id: string,
  email: string,
  locale: GuestLocale,
  origin: GuestBrowserDetails,
): Promise<string> {
  const guest = { guest_email: email, guest_locale: locale };
  const { loaded } = await changeReservationAndMailPacket(
    scope,
    id,
    (facts, context, now) => lifecycle.storeMissingGuestEmailAndSendPacket(facts, guest, context, now),
    {
      origin,
      columns: { guest_email_relay: false },
      trail_before: () => [{ type: 'guest.address_confirmed', data: { sent_to: maskEmailAddress(email) } }],
    },
  );
  const { row, property } = loaded;
  return buildSigningUrl(property, row.id, row.token_generation);
}
