/**
 * Renders the signing page for a fictitious guest, without reading or writing data. The packet
 * editor shows this preview while the host types. The renderer and the arrival rules are those of
 * the real page, so the preview cannot differ from it.
 */

import type { PacketContent } from '@/modules/packets/rules/content';
import type { ArrivalReleaseFactsForRules } from '@/modules/reservations/rules/arrival-release';
import { buildArrivalDetailGroupViews, getVisibleArrivalNotes } from '@/modules/signing/display';
import type { PropertyBrandView } from '@/modules/signing/packet-view';
import { buildAgreementSnapshot, hashAgreementSnapshot } from '@/modules/snapshot/snapshot';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import { getConsentText, listRequiredAcceptanceStatements } from '@/shared/guest-text/consent';
import type { GuestLocale } from '@/shared/guest-text/locale';
import { formatSenderLine, type SenderDetails } from '@/shared/guest-text/sender';
import { fillShortCodes, GUEST_TEXT_SHORT_CODES } from '@/shared/guest-text/short-codes';
import { renderSignPage } from '../pages/sign';

export interface SigningPagePreviewProps {
  brand: PropertyBrandView;
  photo_required: boolean;
  required_acceptances: readonly string[];
  packet: { id: string; name: string };
  content: PacketContent;
  sender: SenderDetails;
  locale: GuestLocale;
  now: Date;
}

const DAY_MS = 86_400_000;
const GUEST = GUEST_TEXT_SHORT_CODES.guest_name.example;

/** Renders the page as HTML without scripts and without links to other pages. */
export async function renderSigningPagePreview({
  brand,
  photo_required,
  required_acceptances,
  packet,
  content,
  sender,
  locale,
  now,
}: SigningPagePreviewProps) {
  const stay = {
    checkin_date: convertDatabaseDateToIsoDay(new Date(now.getTime() + 7 * DAY_MS)),
    checkout_date: convertDatabaseDateToIsoDay(new Date(now.getTime() + 11 * DAY_MS)),
  };
  const values = {
    ...stay,
    guest_name: GUEST,
    property_name: brand.property_name,
    property_address: brand.address,
  };
  const fill = (text: string) => fillShortCodes(text, values, locale);
  const consent = getConsentText(locale);
  const statement = { version: consent.version, locale };
  const acceptances = listRequiredAcceptanceStatements(required_acceptances, locale);
  const arrival = buildArrivalDetailGroupViews(unsigned(content), fill);
  const snapshot = buildAgreementSnapshot({
    locale,
    property: { id: 'preview', name: brand.property_name, address: brand.address },
    sender,
    reservation: { id: 'preview', guest_name: GUEST, ...stay, source: 'direct' },
    packet: { ...content, id: packet.id, name: packet.name, visible_notes: getVisibleArrivalNotes(arrival) },
    consent: { ...statement, text: consent.paragraphs.join('\n\n') },
    acknowledgement: { ...statement, text: consent.statement, photo_required },
    acceptances,
    fill_text: fill,
  });
  const { welcome_message, rules, fees, currency, safety_notes } = snapshot.packet;
  const page = await renderSignPage({
    locale,
    path: '/sign/preview',
    sender: formatSenderLine(sender),
    brand,
    guest_name: GUEST,
    stay,
    packet: { welcome_message, rules, fees, currency, safety_notes, arrival },
    displayed_hash: hashAgreementSnapshot(snapshot),
    selfie_required: photo_required,
    acceptances,
    code: null,
    values: null,
    errors: [],
    changes: null,
  });
  return withoutWaysOut(page);
}

/** Returns the status fields of a reservation that was just sent. */
function unsigned(content: PacketContent): ArrivalReleaseFactsForRules {
  return {
    status: 'sent',
    sent_at: new Date(0),
    signed_at: null,
    arrival_details_held_at: null,
    arrival_details_released_at: null,
    arrival_details_viewed_at: null,
    arrival_release_override_at: null,
    arrival_release_override_by: null,
    arrival_release_override_reason: null,
    arrival_override_groups: [],
    packet: content,
  };
}

/** Removes scripts and links to other pages. Keeps links within the page. */
function withoutWaysOut(page: string): string {
  return page
    .replace(/<script[^<>]*><\/script>/g, '')
    .replace(/<a\b[^<>]*>/g, (tag) => tag.replace(/ href="(?!#)[^"]*"/, ''));
}
