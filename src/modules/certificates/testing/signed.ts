/** Test helpers that create a signed reservation through the services. */
import { updatePacket } from '@/modules/packets/service';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { loadReservation } from '@/modules/reservations/save-transition';
import { sendReservation } from '@/modules/reservations/send';
import { createReservation } from '@/modules/reservations/service';
import { buildGuestPacketDisplay } from '@/modules/signing/display';
import { recordGuestPageView, type SignReservationInput, signReservation } from '@/modules/signing/service';
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { streamDisputePack } from '../dispute-pack/pack';
import { sealCertificate } from '../seal/sealing';
import type { SignatureWithoutLargeColumns } from '../serializer';
import { serializeCertificateEvidence } from '../service';
import { readSealedEvidence } from '../verify/sealed-evidence';

export const TEST_GUEST = {
  name: 'Ada Lovelace',
  email: 'ada.lovelace@guest.example',
  ip: '203.0.113.77',
  user_agent: 'AdasPhone/7.7',
};

const dayFromNow = (days: number) => new Date(clock().now().getTime() + days * 86_400_000).toISOString().slice(0, 10);

/** Creates a property whose door code is withheld, and a sent reservation. */
export async function insertSentReservation(
  scope: Scope,
  guest = TEST_GUEST,
): Promise<{ property_id: string; reservation_id: string }> {
  const property = await createProperty(scope, PropertyCreate.parse({ name: 'Harbour Loft' }));
  const { row } = await createReservation(scope, {
    property_id: property.id,
    guest_name: guest.name,
    guest_email: guest.email,
    checkin_date: dayFromNow(10),
    checkout_date: dayFromNow(14),
    source: 'direct',
  });
  const { packet } = await loadReservation(scope, row.id);
  await updatePacket(
    scope,
    packet?.id ?? '',
    {
      welcome_message: 'Welcome, {{guest_name}}!',
      rules: [{ text: 'No smoking, {{guest_name}}.', category: 'House' }],
      arrival_details: { door_code: '4711#' },
      arrival_release: { door_code: 'after_signing' },
    },
    { if_match: null },
  );
  await sendReservation(scope, row.id);
  return { property_id: property.id, reservation_id: row.id };
}

/** Opens and signs the packet as the guest. Returns the id of the unsealed signature. */
export async function signAsGuest(
  scope: Scope,
  reservation_id: string,
  guest = TEST_GUEST,
  given: Partial<Pick<SignReservationInput, 'drawn_signature' | 'photo' | 'otp_confirmed'>> = {},
): Promise<string> {
  const as_guest: Scope = { ...scope, actor: { kind: 'guest' } };
  const origin = { ip: guest.ip, user_agent: guest.user_agent };
  await recordGuestPageView(as_guest, reservation_id, origin);
  const display = buildGuestPacketDisplay(await loadReservation(as_guest, reservation_id), 'en');
  const result = await signReservation(as_guest, reservation_id, {
    typed_name: guest.name,
    displayed_hash: display?.hash ?? '',
    locale: 'en',
    drawn_signature: null,
    photo: new Uint8Array([0xff, 0xd8, 0xff, 0xd9]),
    otp_confirmed: false,
    ...given,
    origin,
  });
  const { signature_id } = result.loaded.row;
  if (result.kind !== 'signed' || !signature_id) throw new Error(`Not signed: ${result.kind}.`);
  return signature_id;
}

/** Creates a sent, signed and sealed reservation. */
export async function insertSealedCertificate(scope: Scope, guest = TEST_GUEST) {
  const made = await insertSentReservation(scope, guest);
  const signature_id = await signAsGuest(scope, made.reservation_id, guest);
  await sealCertificate(scope, signature_id);
  return { ...made, signature_id };
}

/** Returns a certificate with its audit trail, as in the API. */
export const readCertificateWithTrail = async (scope: Scope, head: SignatureWithoutLargeColumns) =>
  serializeCertificateEvidence(await readSealedEvidence({ scope, head }));

/** Yields the bytes of a dispute pack, as its download link serves them. */
export async function* streamTestDisputePack(
  scope: Scope,
  head: SignatureWithoutLargeColumns,
  photo: boolean,
): AsyncGenerator<Uint8Array> {
  yield* streamDisputePack(await readSealedEvidence({ scope, head }, 'name'), photo);
}
