/**
 * The guest's links. Tokens are derived from the master secret, an id and a generation. The API can
 * therefore return a link again although only the token's hash is stored. A new generation
 * invalidates the old link.
 */
import { config, getAppSecret } from '@/config';
import { deriveTokenFromMasterSecret, hashToken } from '@/infra/encryption';
import { clock } from '@/shared/clock';

export type GuestLinkPurpose = 'signing' | 'share' | 'copy' | 'verify' | 'mail-open';

/** Returns a link's token. `generation` counts from 1 and changes only for signing links. */
export function deriveLinkToken(purpose: GuestLinkPurpose, id: string, generation = 1): string {
  return deriveTokenFromMasterSecret(getAppSecret(), purpose, id, generation);
}

/** Returns the stored hash of the token. */
export function hashLinkToken(purpose: GuestLinkPurpose, id: string, generation = 1): string {
  return hashToken(deriveLinkToken(purpose, id, generation));
}

export interface PropertyHostnameColumns {
  custom_domain: string | null;
  custom_domain_verified_at: Date | null;
  custom_domain_confirmed_at: Date | null;
  custom_domain_failing_since: Date | null;
  subdomain: string | null;
}

/**
 * How long new links use a custom domain after its DNS records were last confirmed. The records are
 * checked hourly.
 */
const CONFIRMED_MS = 24 * 3_600_000;

/**
 * Returns whether links may use the custom domain: it was confirmed recently, and no check has
 * failed since.
 */
function mayUseDomain(property: PropertyHostnameColumns): boolean {
  if (!property.custom_domain || !property.custom_domain_verified_at || property.custom_domain_failing_since)
    return false;
  const confirmed_at = property.custom_domain_confirmed_at ?? property.custom_domain_verified_at;
  return clock().now().getTime() - confirmed_at.getTime() < CONFIRMED_MS;
}

/**
 * Returns the origin of a property's signing links: its verified custom domain, its subdomain, or
 * the main domain (specification, "Copy-link object"). An unconfirmed domain is not used, because
 * it may be dead or belong to someone else.
 */
export function getSigningLinkOrigin(property: PropertyHostnameColumns): string {
  const main = new URL(config().app_url);
  if (mayUseDomain(property)) return `https://${property.custom_domain}`;
  // An IP address has no subdomains.
  if (property.subdomain && !/^[\d.]+$|:/.test(main.hostname)) {
    return `${main.protocol}//${property.subdomain}.${main.host}`;
  }
  return main.origin;
}

/** Returns `/sign/<token>` on the property's vanity domain. */
export function buildSigningUrl(property: PropertyHostnameColumns, reservation_id: string, generation: number): string {
  return `${getSigningLinkOrigin(property)}/sign/${deriveLinkToken('signing', reservation_id, generation)}`;
}

/**
 * Returns the link that the host shares when the guest's email address is unknown. The guest enters
 * the address on the linked page.
 */
export function buildReservationShareUrl(
  property: PropertyHostnameColumns,
  reservation_id: string,
  generation: number,
): string {
  return `${getSigningLinkOrigin(property)}/sign/${deriveLinkToken('share', reservation_id, generation)}`;
}

/** Returns the link to the guest's copy, which is always on the main domain. */
export function buildGuestCertificateCopyUrl(signature_id: string): string {
  return `${config().app_url}/c/${deriveLinkToken('copy', signature_id)}`;
}

/**
 * Returns the guest's link to the sealed PDF. The link contains the copy's token, so revoking the
 * copy also disables this link.
 */
export function buildGuestCertificateCopyPdfUrl(signature_id: string): string {
  return `${buildGuestCertificateCopyUrl(signature_id)}/certificate.pdf`;
}

export function deriveCertificateVerifyToken(signature_id: string): string {
  return deriveLinkToken('verify', signature_id);
}

/**
 * Returns the link to the public page that verifies PDF, snapshot and trail. The page does not
 * offer the PDF for download.
 */
export function buildCertificateVerifyUrl(signature_id: string): string {
  return `${config().app_url}/verify/${deriveCertificateVerifyToken(signature_id)}`;
}
