/** Certificate data for the dashboard beyond the public resource. */
import { buildGuestCertificateCopyUrl } from '@/modules/links/urls';
import { splitSearchWords } from '@/modules/reservations/rules/search';
import { findSignedReservationIdsBySearch } from '@/modules/reservations/service';
import { createTrailActorParserForTeam } from '@/modules/reservations/timeline.service';
import { toImageDataUrl } from '@/shared/data-url';
import type { Scope } from '@/shared/scope';
import { buildCertificateFileName } from './batch/file-name.rules';
import { readCertificatePhoto } from './files/read';
import type { CertificateFilters, HostCertificateListQuery } from './host.schemas';
import * as repository from './repository';
import type { CertificateListQuery } from './schemas';
import * as signers from './search.repository';
import { serializeCertificate } from './serializer';
import { retrieveCertificateWithoutTrail } from './service';
import type { EvidenceReadResult, SealedSignatureEvidence } from './verify/sealed-evidence';

/**
 * The maximum number of search results, newest first. A more specific search finds older
 * certificates.
 */
const MAX_HITS = 2_000;

/**
 * Returns a page of matching certificates for the dashboard. Throws conflicting_cursors and
 * invalid_cursor.
 */
export async function listCertificatesForHost(scope: Scope, query: HostCertificateListQuery) {
  const page = await listCertificatesMatchingFilters(scope, query);
  const properties = await repository.findProperties(
    scope,
    page.data.map((row) => row.property_id),
  );
  const codes = await repository.findBookingCodesByReservationId(
    scope,
    page.data.map((row) => row.reservation_id),
  );
  const data = page.data.map((row) => ({
    ...serializeCertificate(row),
    signer_name: row.signer_name,
    property_name: properties.get(row.property_id)?.name ?? null,
    property_timezone: properties.get(row.property_id)?.timezone ?? null,
    booking_code: codes.get(row.reservation_id) ?? null,
  }));
  return { ...page, data };
}

/** Returns a page of matching certificates. */
export async function listCertificatesMatchingFilters(scope: Scope, query: CertificateFilters & CertificateListQuery) {
  const { search, property, 'signed_at.gte': from, 'signed_at.lt': before } = query;
  const words = splitSearchWords(search ?? '');
  return repository.listSignaturesWithoutLargeColumns(scope, query, {
    ...(property && { property_id: property }),
    // A signature is inserted at the time of signing, so `created_at` filters by that time.
    ...((from || before) && { created_at: { ...(from && { gte: from }), ...(before && { lt: before }) } }),
    ...(words.length > 0 && { id: { in: await searchIds(scope, words) } }),
  });
}

/** Searches by signer, booked guest and booking code. */
async function searchIds(scope: Scope, words: readonly string[]): Promise<string[]> {
  const reservations = await findSignedReservationIdsBySearch(scope, words, MAX_HITS);
  return signers.findCertificateIdsBySearchWords(scope, words, reservations, MAX_HITS);
}

/** Returns facts for the certificate's page that the public resource does not contain. */
export async function loadHostOnlyCertificateFields({ scope, head, facts: sealed }: EvidenceReadResult) {
  const { photo, drawing, ...facts } = await repository.findSignerDetails(scope, head.id);
  const property = await repository.findProperty(scope, head.property_id);
  return {
    ...facts,
    ...(sealed && shownFacts(sealed)),
    signer_name: head.signer_name,
    locale: head.locale,
    sealed_at: head.sealed_at?.toISOString() ?? null,
    seal_error: head.seal_error,
    pdf_sha256: head.pdf_sha256,
    redacted_at: head.redacted_at?.toISOString() ?? null,
    has_photo: photo,
    has_drawing: drawing,
    property: property && { id: property.id, name: property.name, timezone: property.timezone },
    file_name: buildCertificateFileName(head, property),
    reservation_exists: await repository.doesReservationExist(scope, head.reservation_id),
    copy: head.redacted_at
      ? null
      : { url: buildGuestCertificateCopyUrl(head.id), revoked_at: head.copy_revoked_at?.toISOString() ?? null },
  };
}

/** Returns the actors of a trail's entries. The key is the entry's `seq`. */
export async function loadTrailActorsByEntrySeq(scope: Scope, trail: readonly { seq: number; actor: string | null }[]) {
  const actorOf = await createTrailActorParserForTeam(scope);
  return Object.fromEntries(trail.map(({ seq, actor }) => [seq, actorOf(actor)]));
}

function shownFacts({ signer_email, signed_ip, user_agent, consent_version, otp_confirmed }: SealedSignatureEvidence) {
  return { signer_email, signed_ip, user_agent, consent_version, otp_confirmed };
}

/** Returns the guest's photo as a data URL, or null when there is none. Throws resource_missing. */
export async function retrieveCertificatePhoto(scope: Scope, id: string): Promise<string | null> {
  await retrieveCertificateWithoutTrail(scope, id);
  const photo = await readCertificatePhoto(scope, id);
  return photo && toImageDataUrl('jpeg', photo);
}
