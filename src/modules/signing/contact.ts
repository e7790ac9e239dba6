/** A guest gave the address that no calendar knew, and confirmed it: it is stored, and the packet goes out to it. */

import { signingUrl } from '@/modules/links/urls';
import * as lifecycle from '@/modules/reservations/rules/lifecycle';
import { mailPacket } from '@/modules/reservations/send';
import type { TrailOrigin } from '@/modules/trail/service';
import type { GuestLocale } from '@/shared/guest-text/locale';
import { maskEmail } from '@/shared/guest-text/mask';
import type { Scope } from '@/shared/scope';

/** Stores the confirmed address and sends, in one change, and answers the signing link. Throws as mailPacket and lifecycle.sendTo. */
export async function acceptContact(
  scope: Scope,
  id: string,
  email: string,
  locale: GuestLocale,
  origin: TrailOrigin,
): Promise<string> {
  const guest = { guest_email: email, guest_locale: locale };
  const { loaded } = await mailPacket(
    scope,
    id,
    (facts, context, now) => lifecycle.sendTo(facts, guest, context, now),
    {
      origin,
      columns: { guest_email_relay: false },
      trail_before: () => [{ type: 'guest.address_confirmed', data: { sent_to: maskEmail(email) } }],
    },
  );
  const { row, property } = loaded;
  return signingUrl(property, row.id, row.token_generation);
}
