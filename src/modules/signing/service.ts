/**
 * The guest's actions: opening the page, returning to it and signing (design "Reservation status",
 * "Guest's evidence"). A signature is one transaction that writes reservation, snapshot, signature,
 * trail and events.
 */

import { getAppSecret } from '@/config';
import type { Packet } from '@/generated/prisma/client';
import { lockTeam } from '@/infra/db/locks';
import { encryptBytes } from '@/infra/encryption';
import { hashLinkToken } from '@/modules/links/urls';
import { revisionContentJsonColumn } from '@/modules/packets/json-columns.schemas';
import { listPacketRevisions } from '@/modules/packets/service';
import { buildReservationRowFactsForRules, buildReservationRuleContext } from '@/modules/reservations/rule-inputs';
import * as lifecycle from '@/modules/reservations/rules/lifecycle';
import type {
  ReservationFactsForRules,
  ReservationRuleContext,
  ReservationTransitionDecision,
} from '@/modules/reservations/rules/transitions';
import type { ReservationWithPropertyAndPacket } from '@/modules/reservations/save-transition';
import { applyReservationTransition, loadReservation } from '@/modules/reservations/save-transition';
import { toCanonicalSnapshotText } from '@/modules/snapshot/snapshot';
import { computeTrailHashAtSigning } from '@/modules/trail/attestation';
import type { GuestBrowserDetails } from '@/modules/trail/service';
import { convertRowToChainedTrailEntry, listTrailEntries } from '@/modules/trail/service';
import { sha256Hex } from '@/shared/canonical-json';
import type { GuestLocale } from '@/shared/guest-text/locale';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import { findSigningCodeConfirmation } from './codes';
import {
  buildGuestPacketDisplay,
  buildGuestPacketDisplayFromContent,
  type PacketShownToGuestWithSnapshot,
} from './display';
import * as repository from './repository';

/** The encryption purposes of a guest's drawn signature and photo. */
export const DRAWN_SIGNATURE_ENCRYPTION_PURPOSE = 'drawn-signature';
export const GUEST_PHOTO_ENCRYPTION_PURPOSE = 'guest-photo';

export interface SignReservationInput {
  typed_name: string;
  /** The hash of the content that the page displayed. */
  displayed_hash: string;
  locale: GuestLocale;
  /** PNG bytes that the server encoded from the guest's pixels. */
  drawn_signature: Uint8Array | null;
  /** JPEG bytes that the server encoded. */
  photo: Uint8Array | null;
  otp_confirmed: boolean;
  origin: GuestBrowserDetails;
}

export type SignReservationResult =
  | { kind: 'signed'; loaded: ReservationWithPropertyAndPacket }
  /**
   * The packet has changed since it was displayed, so the guest must review it again. `before` is
   * the displayed version, or null when it was not found.
   */
  | {
      kind: 'packet_changed';
      loaded: ReservationWithPropertyAndPacket;
      now: PacketShownToGuestWithSnapshot;
      before: PacketShownToGuestWithSnapshot | null;
    };

/**
 * Records that a person opened the page, before or after signing. Only the page's script calls
 * this. GET requests do not, because link scanners send them too.
 */
export async function recordGuestPageView(scope: Scope, id: string, origin: GuestBrowserDetails): Promise<void> {
  await applyReservationTransition(scope, id, lifecycle.decideChangeOnGuestPageViewed, { origin });
}

/** Thrown in the transaction when the displayed content has changed. The caller tries again. */
class DisplayChanged extends Error {}

/** Signs the displayed content. Throws resource_missing and the refusals of lifecycle.sign. */
export async function signReservation(
  scope: Scope,
  id: string,
  input: SignReservationInput,
): Promise<SignReservationResult> {
  for (;;) {
    const loaded = await loadReservation(scope, id);
    const display = buildGuestPacketDisplay(loaded, input.locale);
    if (loaded.packet && display && display.hash === input.displayed_hash) {
      try {
        return { kind: 'signed', loaded: await saveSignature(scope, loaded, loaded.packet, display, input) };
      } catch (error) {
        if (error instanceof DisplayChanged) continue;
        throw error;
      }
    }
    // If the reservation was already signed, cancelled or expired, this throws the corresponding
    // refusal instead of reporting a changed packet.
    lifecycle.throwIfTransitionRefused(
      decideSign('sig_undecided')(
        buildReservationRowFactsForRules(loaded),
        buildReservationRuleContext(scope, loaded),
        loaded.now,
      ),
    );
    if (!display) throw new Error(`Reservation ${id} has no packet to sign.`);
    return { kind: 'packet_changed', loaded, now: display, before: await findDisplayedRevision(scope, loaded, input) };
  }
}

/**
 * Decides whether the guest may sign. If no view was recorded before, also records one. This
 * happens when a form is posted without JavaScript.
 */
const decideSign =
  (signature_id: string) =>
  (facts: ReservationFactsForRules, context: ReservationRuleContext, now: Date): ReservationTransitionDecision => {
    const view =
      facts.clicked_at === null && facts.status !== 'signed'
        ? lifecycle.decideChangeOnGuestPageViewed(facts, context, now)
        : ({ kind: 'unchanged' } as const);
    const sign = lifecycle.sign(lifecycle.applyTransitionDecision(facts, view), context, { signature_id }, now);
    if (sign.kind !== 'change' || view.kind !== 'change') return sign;
    return { ...sign, changes: { ...view.changes, ...sign.changes }, events: [...view.events, ...sign.events] };
  };

async function saveSignature(
  scope: Scope,
  loaded: ReservationWithPropertyAndPacket,
  packet: Packet,
  display: PacketShownToGuestWithSnapshot,
  input: SignReservationInput,
): Promise<ReservationWithPropertyAndPacket> {
  const signature_id = newId('signature');
  const canonical = toCanonicalSnapshotText(display.snapshot);
  const confirmation = input.otp_confirmed
    ? await findSigningCodeConfirmation(scope, loaded.row.id, loaded.row.guest_email ?? '')
    : null;
  const result = await applyReservationTransition(scope, loaded.row.id, decideSign(signature_id), {
    origin: input.origin,
    columns: { packet_id: packet.id, guest_locale: input.locale, guest_reply: null, guest_reply_at: null },
    trail_before: (event) =>
      event.type === 'reservation.signed'
        ? [
            {
              type: 'consent.given',
              data: { consent_version: display.snapshot.consent.version, locale: input.locale },
            },
            ...display.snapshot.acceptances.map(({ name, version, locale }) => ({
              type: 'acceptance.given',
              data: { acceptance: name, wording_version: version, locale },
            })),
          ]
        : [],
    trail_data: (event) =>
      event.type === 'reservation.signed'
        ? {
            content_hash: display.hash,
            signer_name: input.typed_name,
            consent_version: display.snapshot.consent.version,
            locale: input.locale,
            email_code_confirmed: input.otp_confirmed,
            ...(confirmation && {
              email_code_confirmed_at: confirmation.confirmed_at,
              email_code_sent_to: confirmation.sent_to,
            }),
            photo_taken: input.photo !== null,
            photo_sha256: input.photo && sha256Hex(input.photo),
            drawn_signature_sha256: input.drawn_signature && sha256Hex(input.drawn_signature),
          }
        : {},
    within: async (saved) => {
      // If another change came first, the stay or the property may differ from the displayed one.
      if (saved.row.version !== loaded.row.version + 1 || saved.property.version !== loaded.property.version)
        throw new DisplayChanged();
      // Locks the team before the packet. Editors of packets use the same order.
      await lockTeam(scope);
      // The lock prevents edits of the packet until the commit.
      if ((await repository.lockPacketAndReadVersion(scope, packet.id)) !== packet.version) throw new DisplayChanged();
      const now = saved.row.signed_at ?? saved.now;
      const snapshot_id = newId('snapshot');
      const snapshot = { id: snapshot_id, content_hash: display.hash, canonical, created_at: now };
      await repository.insertAgreementSnapshot(scope, snapshot);
      const row = {
        id: signature_id,
        team_id: scope.team_id,
        mode: scope.mode,
        reservation_id: saved.row.id,
        property_id: saved.row.property_id,
        snapshot_id,
        content_hash: display.hash,
        signer_name: input.typed_name,
        signer_email: saved.row.guest_email,
        signed_at: now,
        signed_ip: input.origin.ip ?? null,
        user_agent: input.origin.user_agent?.slice(0, 500) ?? null,
        consent_version: display.snapshot.consent.version,
        locale: input.locale,
        drawn_signature:
          input.drawn_signature &&
          encryptBytes(getAppSecret(), DRAWN_SIGNATURE_ENCRYPTION_PURPOSE, input.drawn_signature),
        photo: input.photo && encryptBytes(getAppSecret(), GUEST_PHOTO_ENCRYPTION_PURPOSE, input.photo),
        otp_confirmed: input.otp_confirmed,
        verify_token_hash: hashLinkToken('verify', signature_id),
        copy_token_hash: hashLinkToken('copy', signature_id),
        created_at: now,
        updated_at: now,
      };
      const trail = (await listTrailEntries(scope, saved.row.id)).map(convertRowToChainedTrailEntry);
      await repository.insertSignature(scope, { ...row, attestation: computeTrailHashAtSigning(row, trail) });
    },
  });
  return result.loaded;
}

/** Returns the earlier revision of the packet that has the posted hash. */
async function findDisplayedRevision(
  scope: Scope,
  loaded: ReservationWithPropertyAndPacket,
  input: SignReservationInput,
): Promise<PacketShownToGuestWithSnapshot | null> {
  if (!loaded.packet) return null;
  for (const revision of await listPacketRevisions(scope, loaded.packet.id)) {
    const { name, ...content } = revisionContentJsonColumn.read(revision.content);
    const display = buildGuestPacketDisplayFromContent(loaded, { id: loaded.packet.id, name }, content, input.locale);
    if (display.hash === input.displayed_hash) return display;
  }
  return null;
}
