/** What the dashboard shows of certificates beyond the public resource: who signed, the guest's copy, the photo. */
import { copyUrl } from '@/modules/links/urls';
import type { Scope } from '@/shared/scope';
import { readPhoto } from './files/read';
import * as repository from './repository';

import { type SignatureHead, serializeCertificate } from './serializer';
import { retrieveHead } from './service';

/** How each row of a page is shown to a host. */
export async function rowsForHost(scope: Scope, rows: readonly SignatureHead[]) {
  const names = await repository.findPropertyNames(scope, [...new Set(rows.map((row) => row.property_id))]);
  return (row: SignatureHead) => ({
    ...serializeCertificate(row),
    signer_name: row.signer_name,
    property_name: names.get(row.property_id) ?? null,
  });
}

/** What the certificate's page says beyond the resource. */
export async function factsForHost(scope: Scope, head: SignatureHead) {
  const { photo, drawing, ...facts } = await repository.findFacts(scope, head.id);
  const property = await repository.findProperty(scope, head.property_id);
  return {
    ...facts,
    signer_name: head.signer_name,
    locale: head.locale,
    sealed_at: head.sealed_at?.toISOString() ?? null,
    seal_error: head.seal_error,
    pdf_sha256: head.pdf_sha256,
    redacted_at: head.redacted_at?.toISOString() ?? null,
    has_photo: photo,
    has_drawing: drawing,
    property: property && { id: property.id, name: property.name, timezone: property.timezone },
    reservation_exists: await repository.hasReservation(scope, head.reservation_id),
    copy: head.redacted_at ? null : { url: copyUrl(head.id), revoked_at: head.copy_revoked_at?.toISOString() ?? null },
  };
}

/** The guest's photo as a data URL; null when there is none. Throws resource_missing. */
export async function retrievePhoto(scope: Scope, id: string): Promise<string | null> {
  await retrieveHead(scope, id);
  const photo = await readPhoto(scope, id);
  return photo && `data:image/jpeg;base64,${photo.toString('base64')}`;
}
