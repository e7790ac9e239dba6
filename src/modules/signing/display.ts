/**
 * Builds the packet as a guest sees it, and a snapshot of it. The page posts the snapshot's hash
 * with the signature. Pure.
 */
import type { Packet, Property } from '@/generated/prisma/client';
import type { PacketContent } from '@/modules/packets/rules/content';
import { convertPacketRowToContent } from '@/modules/packets/serializer';
import { buildReservationRowFactsForRules } from '@/modules/reservations/rule-inputs';
import {
  type ArrivalReleaseFactsForRules,
  getArrivalReleasePolicy,
  getVisibleArrivalDetails,
} from '@/modules/reservations/rules/arrival-release';
import { toArrivalReleaseFactsForRules } from '@/modules/reservations/rules/lifecycle';
import type { ReservationWithPropertyAndPacket } from '@/modules/reservations/save-transition';
import { type AgreementSnapshot, buildAgreementSnapshot, hashAgreementSnapshot } from '@/modules/snapshot/snapshot';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import { getConsentText, listRequiredAcceptanceStatements } from '@/shared/guest-text/consent';
import type { GuestLocale } from '@/shared/guest-text/locale';
import { fillShortCodes } from '@/shared/guest-text/short-codes';
import type { ArrivalDetailGroupView, PacketView, PropertyBrandView } from './packet-view';

export interface PacketShownToGuestWithSnapshot {
  packet: PacketView;
  snapshot: AgreementSnapshot;
  /** The hash of the snapshot. The page posts it with the signature. */
  hash: string;
}

export function toPropertyBrandView(
  property: Pick<Property, 'name' | 'address' | 'logo_url' | 'brand_color'>,
): PropertyBrandView {
  return {
    property_name: property.name,
    address: property.address,
    logo_url: property.logo_url,
    brand_color: property.brand_color,
  };
}

/** Returns the packet as this guest currently sees it, or null when the property has no packet. */
export function buildGuestPacketDisplay(
  loaded: ReservationWithPropertyAndPacket,
  locale: GuestLocale,
): PacketShownToGuestWithSnapshot | null {
  if (!loaded.packet) return null;
  return buildGuestPacketDisplayFromContent(loaded, loaded.packet, convertPacketRowToContent(loaded.packet), locale);
}

/**
 * Returns a display like buildGuestPacketDisplay, but of the given content, such as an earlier
 * revision that the guest may have seen.
 */
export function buildGuestPacketDisplayFromContent(
  loaded: ReservationWithPropertyAndPacket,
  packet: Pick<Packet, 'id' | 'name'>,
  content: PacketContent,
  locale: GuestLocale,
): PacketShownToGuestWithSnapshot {
  const { row, property } = loaded;
  const values = {
    guest_name: row.guest_name,
    checkin_date: convertDatabaseDateToIsoDay(row.checkin_date),
    checkout_date: convertDatabaseDateToIsoDay(row.checkout_date),
    property_name: property.name,
    property_address: property.address,
  };
  const fill = (text: string) => fillShortCodes(text, values, locale);
  const consent = getConsentText(locale);
  const facts = toArrivalReleaseFactsForRules(buildReservationRowFactsForRules(loaded), {
    packet: {
      arrival_details: content.arrival_details,
      arrival_release: content.arrival_release,
      safety_notes: content.safety_notes,
    },
  });
  const arrival = buildArrivalDetailGroupViews(facts, fill);
  const snapshot = buildAgreementSnapshot({
    locale,
    property,
    sender: loaded.sender,
    reservation: {
      id: row.id,
      guest_name: row.guest_name,
      guest_email: row.guest_email,
      checkin_date: values.checkin_date,
      checkout_date: values.checkout_date,
      source: row.source,
      external_id: row.external_id,
    },
    packet: { ...content, id: packet.id, name: packet.name, visible_notes: getVisibleArrivalNotes(arrival) },
    consent: { version: consent.version, locale, text: consent.paragraphs.join('\n\n') },
    acknowledgement: {
      version: consent.version,
      locale,
      text: consent.statement,
      photo_required: row.selfie_required,
    },
    acceptances: listRequiredAcceptanceStatements(property.required_acceptances, locale),
    fill_text: fill,
  });
  return {
    snapshot,
    hash: hashAgreementSnapshot(snapshot),
    packet: {
      welcome_message: snapshot.packet.welcome_message,
      rules: snapshot.packet.rules,
      fees: snapshot.packet.fees,
      currency: snapshot.packet.currency,
      arrival,
      safety_notes: snapshot.packet.safety_notes,
    },
  };
}

/** Returns the visible arrival notes, which are part of the snapshot. */
export function getVisibleArrivalNotes(arrival: readonly ArrivalDetailGroupView[]) {
  return arrival.flatMap((view) =>
    view.state === 'visible' && (view.group === 'checkin_notes' || view.group === 'parking_notes')
      ? [{ group: view.group, text: view.text }]
      : [],
  );
}

/** Returns the safety notes as the guest sees them. */
export function getSafetyNotes(loaded: ReservationWithPropertyAndPacket, locale: GuestLocale): string | null {
  return buildGuestPacketDisplay(loaded, locale)?.packet.safety_notes ?? null;
}

/** Returns released groups with their content, and withheld groups without it. */
export function buildArrivalDetailGroupViews(
  facts: ArrivalReleaseFactsForRules,
  fill: (text: string) => string,
): ArrivalDetailGroupView[] {
  if (!facts.packet) return [];
  const { packet } = facts;
  const { details, released, withheld } = getVisibleArrivalDetails(facts);
  const visible = released.map((group): ArrivalDetailGroupView => {
    if (group === 'wifi') {
      return {
        group,
        state: 'visible',
        network: details.wifi?.network ?? '',
        password: details.wifi?.password ?? null,
      };
    }
    return { group, state: 'visible', text: fill(details[group] ?? '') };
  });
  const held = withheld.map((group): ArrivalDetailGroupView => {
    const only_host = getArrivalReleasePolicy(packet, group) === 'manual';
    return { group, state: 'held', until: only_host ? 'host' : 'signing' };
  });
  return [...visible, ...held];
}
