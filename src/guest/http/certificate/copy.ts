/**
 * Serves `/c/<copy_token>`: the guest's own copy. It exists only on the main domain, and the owner
 * can revoke it.
 */
import { isSameOriginPost } from '@/infra/http/same-origin-post';
import { recordGuestCertificateCopyVisit } from '@/modules/certificates/privacy/service';
import type { SignatureWithoutLargeColumns } from '@/modules/certificates/serializer';
import { isEvidenceGenuine, readSealedEvidence } from '@/modules/certificates/verify/sealed-evidence';
import {
  findPropertyOfCertificate,
  findSignatureByGuestCopyToken,
  readDrawnSignature,
} from '@/modules/certificates/verify/verification';
import { decidePdfAccess } from '@/modules/links/certificate-access.rules';
import { buildCertificateVerifyUrl, buildGuestCertificateCopyPdfUrl } from '@/modules/links/urls';
import type { PropertyBrandView } from '@/modules/signing/packet-view';
import type { AgreementSnapshot } from '@/modules/snapshot/snapshot';
import { toImageDataUrl } from '@/shared/data-url';
import { formatSenderLine } from '@/shared/guest-text/sender';
import { renderSignedCopyPage } from '../../pages/copy';
import {
  choosePageLocale,
  createHtmlResponse,
  createUnknownCertificateResponse,
  createUnusableGuestLinkResponse,
  getGuestBrowserDetails,
} from '../respond';
import { createPdfResponse } from './pdf';

/**
 * Returns the branding of a copy: the current logo and colour, with the name and address at the
 * time of signing.
 */
export function getBrandAtSigning(
  { property: signed }: AgreementSnapshot,
  property: Pick<PropertyBrandView, 'logo_url' | 'brand_color'> | null,
): PropertyBrandView {
  return {
    property_name: signed.name,
    address: signed.address,
    logo_url: property?.logo_url ?? null,
    brand_color: property?.brand_color ?? null,
  };
}

/** Returns the state and URL of the guest's PDF, or null when the guest may no longer open it. */
export function getSignedCopyPdfLink(head: SignatureWithoutLargeColumns) {
  const access = decidePdfAccess('guest', head);
  if (access === 'granted') return { state: 'ready', url: buildGuestCertificateCopyPdfUrl(head.id) } as const;
  return access === 'unsealed' ? ({ state: 'preparing', url: null } as const) : null;
}

/** Serves the sealed file to the guest. */
export async function handleSignedCopyPdfRequest(request: Request, token: string): Promise<Response> {
  const holder = await findSignatureByGuestCopyToken(token);
  const page = { locale: choosePageLocale(request), path: `/c/${token}` };
  return holder ? createPdfResponse('guest', holder, page) : createUnknownCertificateResponse(page);
}

/** Handles POST `/view`: records in the audit trail that a person opened the copy. */
export async function handleSignedCopyOpenedReport(request: Request, token: string): Promise<Response> {
  const holder = isSameOriginPost(request) ? await findSignatureByGuestCopyToken(token) : null;
  if (holder) await recordGuestCertificateCopyVisit(holder, getGuestBrowserDetails(request));
  return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
}

export async function handleSignedCopyPageRequest(request: Request, token: string): Promise<Response> {
  const path = `/c/${token}`;
  const holder = await findSignatureByGuestCopyToken(token);
  const locale = choosePageLocale(request, { locale: null, guest_locale: holder?.head.locale ?? null });
  if (!holder) return createUnknownCertificateResponse({ locale, path });
  const access = decidePdfAccess('guest', holder.head);
  if (access === 'revoked') return createUnusableGuestLinkResponse('copy_revoked', { locale, path });
  const reading = await readSealedEvidence(holder);
  if (!isEvidenceGenuine(reading)) return createUnusableGuestLinkResponse('copy_altered', { locale, path });
  const { head, snapshot, facts } = reading;
  if (access === 'redacted') return createUnusableGuestLinkResponse('copy_redacted', { locale, path });
  if (!snapshot) return createUnusableGuestLinkResponse('unknown', { locale, path });
  const property = await findPropertyOfCertificate(holder);
  // Older certificates do not contain the drawing's hash, so their drawing is shown only in the
  // PDF.
  const drawing = !facts || facts.drawn_signature_sha256 ? await readDrawnSignature(holder) : null;
  const brand = getBrandAtSigning(snapshot, property);
  return createHtmlResponse(
    await renderSignedCopyPage({
      locale,
      path,
      sender: formatSenderLine(snapshot.sender),
      test_mode: holder.scope.mode === 'test',
      brand,
      stay: { checkin_date: snapshot.reservation.checkin_date, checkout_date: snapshot.reservation.checkout_date },
      timezone: snapshot.property.timezone,
      signer_name: head.signer_name,
      signed_at: head.signed_at.toISOString(),
      statement: snapshot.acknowledgement.text,
      consent_version: snapshot.consent.version,
      packet: {
        welcome_message: snapshot.packet.welcome_message,
        rules: snapshot.packet.rules,
        fees: snapshot.packet.fees,
        currency: snapshot.packet.currency,
        arrival: snapshot.packet.notes.map(({ group, text }) => ({ group, state: 'visible', text })),
        safety_notes: snapshot.packet.safety_notes,
      },
      drawn_signature: drawing && drawing !== 'gone' ? toImageDataUrl('png', drawing) : null,
      content_hash: head.content_hash,
      pdf_sha256: head.pdf_sha256,
      pdf: getSignedCopyPdfLink(head),
      verify_url: buildCertificateVerifyUrl(head.id),
    }),
    { brand },
  );
}
