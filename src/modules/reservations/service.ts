/** Manages reservations (specification, "Reservations"). send.ts sends them. */

import { recordEvent } from '@/events/record';
import type { Prisma, Reservation } from '@/generated/prisma/client';
import { lockPropertyAgainstDeletion, lockTeam } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { decidePdfAccess, type PdfAccessDecision } from '@/modules/links/certificate-access.rules';
import { buildGuestCertificateCopyUrl, buildSigningUrl } from '@/modules/links/urls';
import { decryptMailContent } from '@/modules/mail/content';
import { loadPropertyCurrentTimeLookup } from '@/modules/test-clocks/time';
import { buildFirstTrailEntry, listTrailEntries, trailEntryDataJsonColumn } from '@/modules/trail/service';
import { parseCalendarDay } from '@/shared/calendar-day';
import { applyMetadataChange } from '@/shared/changed-metadata';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { assertEtagMatches } from '@/shared/etag';
import { normalizeGuestName } from '@/shared/guest-text/names';
import { newId } from '@/shared/ids';
import { createRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { findSignedReservationIds, listPartnerReservations } from './list.repository';
import type { ReservationWithPacketColumns } from './reads.repository';
import * as reads from './reads.repository';
import type { ReservationWithPropertyAndPacket } from './repository';
import * as repository from './repository';
import { buildReservationRowFactsForRules, parsePacketArrivalColumns } from './rule-inputs';
import * as lifecycle from './rules/lifecycle';
import { AWAITING_SIGNATURE_STATUSES, type ReservationFactsForRules } from './rules/transitions';
import { applyReservationTransition, createMissingReservationError, loadReservation } from './save-transition';
import type { ReservationCreate, ReservationListQuery, ReservationUpdate } from './schemas';
import { buildPlaceholderEmailAddress, PLACEHOLDER_EMAIL_DOMAIN, serializeReservation } from './serializer';

/** Returns a reservation. Throws resource_missing. */
export async function retrieveReservation(scope: Scope, id: string): Promise<ReservationWithPacketColumns> {
  const found = await reads.findReservationWithPacketColumns(scope, id);
  if (!found) throw createMissingReservationError(scope, id);
  return found;
}

export const listReservations = (scope: Scope, query: ReservationListQuery) => listPartnerReservations(scope, query);

/**
 * Returns ids of signed reservations that match a search, so that certificates can be found by
 * their booking.
 */
export const findSignedReservationIdsBySearch = findSignedReservationIds;

/** Returns the resource of a loaded reservation. */
export function serializeReservationWithPacket({ row, packet }: ReservationWithPacketColumns) {
  return serializeReservation(row, parsePacketArrivalColumns(packet));
}

/** The public fields of a new reservation, except that the address may be unknown. */
export interface NewReservationInput extends Omit<ReservationCreate, 'guest_email'> {
  /** Null while the address is unknown. A share link then replaces the mail. */
  guest_email: string | null;
}

/**
 * Creates a reservation without sending it. Throws resource_missing (`property_id`, `packet_id`),
 * packet_archived, and invalid_field for a placeholder address.
 */
export async function createReservation(
  scope: Scope,
  input: NewReservationInput,
): Promise<ReservationWithPacketColumns> {
  assertNotPlaceholderEmailAddress(input.guest_email);
  return inTransaction(scope, async () => {
    await assertPropertyExists(scope, input.property_id);
    if (input.packet_id != null) await assertVariant(scope, input.property_id, input.packet_id);
    return insertReservation(scope, {
      ...input,
      metadata: applyMetadataChange({}, input.metadata ?? {}),
      packet_id: input.packet_id ?? null,
      checkin_date: parseCalendarDay(input.checkin_date),
      checkout_date: parseCalendarDay(input.checkout_date),
      status: 'draft',
      initial_status: 'draft',
    });
  });
}

/** Locks the property against deletion until the transaction ends. Throws resource_missing. */
export async function assertPropertyExists(scope: Scope, id: string): Promise<void> {
  if (await lockPropertyAgainstDeletion(scope, id)) return;
  throw new AppError('resource_missing', {
    message: createRefusal('no_such_in_mode', { mode: scope.mode, thing: 'property', id }),
    param: 'property_id',
  });
}

/** The columns of a new reservation. */
export type NewReservationRow = Omit<
  Prisma.ReservationUncheckedCreateInput,
  'id' | 'team_id' | 'mode' | 'created_at' | 'updated_at' | 'arrival_override_groups'
>;

/** An id that was generated before the insert, and additional data for the first trail entry. */
interface Beginning {
  id?: string;
  trail?: Record<string, unknown>;
}

/** Returns a row to insert with its first trail entry, which is dated in the property's time. */
export function buildReservationRow(scope: Scope, data: NewReservationRow, happens: Date, given: Beginning = {}) {
  const now = clock().now();
  const { id = newId('reservation') } = given;
  const item = { type: 'reservation.created', data: { source: data.source ?? 'direct', ...given.trail } };
  const guest_name = normalizeGuestName(data.guest_name);
  return {
    row: { ...data, guest_name, id, created_at: now, updated_at: now },
    entry: buildFirstTrailEntry(scope, id, item, happens),
  };
}

/**
 * Inserts a reservation from any source, with its first trail entry and `reservation.created`. The
 * caller holds the property's lock (infra/db/locks.ts).
 */
export async function insertReservation(
  scope: Scope,
  data: NewReservationRow,
  given: Beginning = {},
): Promise<ReservationWithPacketColumns & { row: Reservation }> {
  const now = await loadPropertyCurrentTimeLookup(scope, [data.property_id]);
  const made = buildReservationRow(scope, data, now(data.property_id), given);
  const [row] = (await repository.insertReservationRowsAndTrails(scope, [made])) as [Reservation];
  const packet = await reads.findReservationPacket(scope, row);
  const object = serializeReservation(row, parsePacketArrivalColumns(packet));
  await recordEvent(scope, { type: 'reservation.created', object_id: row.id, data: { object } });
  return { row, packet };
}

/** Rejects placeholder addresses, which no guest can have. Throws invalid_field. */
export function assertNotPlaceholderEmailAddress(guest_email: string | null | undefined): void {
  if (guest_email?.toLowerCase().endsWith(PLACEHOLDER_EMAIL_DOMAIN)) {
    throw new AppError('invalid_field', { message: createRefusal('placeholder_address'), param: 'guest_email' });
  }
}

async function assertVariant(scope: Scope, property_id: string, packet_id: string): Promise<void> {
  // Takes the locks in the same order as the deletion of a packet, to avoid a deadlock.
  await lockTeam(scope);
  await repository.lockPacketAgainstDeletion(scope, packet_id);
  await checkVariant(scope, property_id, packet_id);
}

async function checkVariant(scope: Scope, property_id: string, packet_id: string): Promise<void> {
  const probe = { id: 'probe', packet_id, property_id };
  const packet = (await repository.findPacketsByReservation(scope, [probe])).get('probe');
  if (packet?.id !== packet_id || packet.property_id !== property_id) {
    throw new AppError('resource_missing', {
      message: createRefusal('property_has_no_packet', { id: packet_id }),
      param: 'packet_id',
    });
  }
  if (packet.status !== 'active') throw new AppError('packet_archived', { param: 'packet_id' });
}

/**
 * Updates a draft or synced reservation. Throws resource_missing, reservation_not_editable,
 * invalid_date_range, etag_mismatch and concurrent_edit.
 */
export async function updateReservation(
  scope: Scope,
  id: string,
  given: ReservationUpdate,
  if_match: string | null,
  read_only: Record<string, unknown> = {},
): Promise<ReservationWithPropertyAndPacket> {
  const { guest_email, ...others } = given;
  // A client may send back the placeholder that GET returned. The address then remains unknown.
  const known = guest_email === undefined || guest_email === buildPlaceholderEmailAddress(id) ? {} : { guest_email };
  assertNotPlaceholderEmailAddress(known.guest_email);
  const changes = { ...others, ...known };
  const { packet_id } = changes;
  const decide = (facts: ReservationFactsForRules) => {
    const decision = lifecycle.decideReservationFieldUpdate(facts, changes);
    if (decision.kind === 'refused' && AWAITING_SIGNATURE_STATUSES.includes(facts.status)) {
      throw new AppError(decision.code, { message: createRefusal('sent_use_correct_guest'), param: decision.param });
    }
    return decision;
  };
  const result = await applyReservationTransition(scope, id, decide, {
    if_match,
    read_only,
    once: true,
    columns: (_now, { changes: differing }) => ('guest_email' in differing ? { guest_email_relay: false } : {}),
    trail: ({ changes: { guest_locale: _, ...shown } }) => [
      { type: 'reservation.updated', data: { fields: Object.keys(shown) } },
    ],
    prepare: async (loaded) => {
      if (packet_id == null) return async () => {};
      const { property_id } = loaded.row;
      // Checks the packet before the transaction, and again inside it, after locking the packet.
      await checkVariant(scope, property_id, packet_id);
      return () => assertVariant(scope, property_id, packet_id);
    },
  });
  return result.loaded;
}

/**
 * Deletes a draft. Throws resource_missing, reservation_not_deletable, legal_hold, etag_mismatch
 * and concurrent_edit.
 */
export async function deleteReservation(scope: Scope, id: string, if_match: string | null): Promise<void> {
  await inTransaction(scope, async () => {
    const loaded = await loadReservation(scope, id);
    assertEtagMatches(if_match, serializeReservationWithPacket(loaded));
    lifecycle.throwIfTransitionRefused(lifecycle.decideReservationDeletion(buildReservationRowFactsForRules(loaded)));
    if (!(await repository.deleteReservation(scope, id, loaded.row.version))) throw new AppError('concurrent_edit');
    const data = { object: serializeReservationWithPacket(loaded) };
    await recordEvent(scope, { type: 'reservation.deleted', object_id: id, data });
  });
}

/**
 * Cancels a reservation. Cancelling again changes nothing. Throws resource_missing,
 * reservation_already_signed, reservation_expired and legal_hold.
 */
export async function cancelReservation(scope: Scope, id: string): Promise<ReservationWithPropertyAndPacket> {
  const reason = scope.actor.kind === 'user' ? 'host' : 'api';
  const result = await applyReservationTransition(scope, id, (facts, context, now) =>
    lifecycle.cancel(facts, context, reason, now),
  );
  return result.loaded;
}

/** Returns the trail's entries. Throws resource_missing. */
export async function listTrailEntriesOfReservation(scope: Scope, id: string) {
  await retrieveReservation(scope, id);
  return listTrailEntries(scope, id);
}

/** Returns a trail entry for partners. */
export function serializeTrailEntry(entry: Awaited<ReturnType<typeof listTrailEntries>>[number]) {
  const data = trailEntryDataJsonColumn.read(entry.data);
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  const signed = entry.type === 'reservation.signed';
  const overridden = entry.type === 'reservation.arrival_details_override_released';
  return {
    type: entry.type,
    created_at: entry.created_at.toISOString(),
    signed_ip: signed ? entry.ip : null,
    content_hash: signed ? text(data.content_hash) : null,
    by: overridden ? text(data.by) : null,
    reason: overridden ? text(data.reason) : null,
  };
}

/** Statuses in which the guest's link works. */
const LINK_WORKS: ReadonlySet<string> = new Set(['sent', 'opened', 'clicked', 'signed']);

/** The copy page works from the signature on, even before the PDF is sealed. */
const HAS_COPY: ReadonlySet<PdfAccessDecision> = new Set(['granted', 'unsealed']);

/** Returns the guest's links. Throws resource_missing. */
export async function retrieveGuestLinks(scope: Scope, id: string) {
  const { row, property } = await loadReservation(scope, id);
  const signature = row.signature_id
    ? await repository.findSignatureColumnsForCertificateCopyLink(scope, row.signature_id)
    : null;
  return {
    signingUrl:
      row.signing_token_hash && LINK_WORKS.has(row.status)
        ? buildSigningUrl(property, row.id, row.token_generation)
        : null,
    copyUrl:
      signature && HAS_COPY.has(decidePdfAccess('guest', signature))
        ? buildGuestCertificateCopyUrl(signature.id)
        : null,
  };
}

/**
 * Returns the mail that a send in test mode rendered. The mail is available for 24 hours. Without
 * `with_links`, its links contain no tokens. Throws resource_missing and email_preview_unavailable.
 */
export async function retrievePacketMailPreviewInTestMode(scope: Scope, id: string, with_links = true) {
  const { row } = await retrieveReservation(scope, id);
  const mail = scope.mode === 'test' ? await repository.findLatestPacketMailPreview(scope, id, clock().now()) : null;
  if (!mail) throw new AppError('email_preview_unavailable');
  const content = decryptMailContent(mail);
  return {
    object: 'email_preview' as const,
    reservation_id: row.id,
    rendered_at: mail.created_at.toISOString(),
    would_send_to: mail.to,
    from: /<([^<>]+)>/.exec(mail.from)?.[1] ?? mail.from,
    ...(with_links ? content : withoutTokens(content)),
  };
}

const withoutTokens = <Content extends object>(content: Content): Content =>
  Object.fromEntries(
    Object.entries(content).map(([name, text]) => [name, String(text).replace(/(\/(?:sign|c)\/)[\w.~-]+/g, '$1…')]),
  ) as Content;
