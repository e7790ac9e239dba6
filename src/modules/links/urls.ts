/**
 * The guest's links. Tokens are derived from the master secret, an id and a generation, so that the
 * API can return a link again although only its hash is stored. A new generation replaces the link.
 */
import { config, getAppSecret } from '@/config';
import { deriveToken, hashToken } from '@/infra/encryption';
import { clock } from '@/shared/clock';

export type LinkPurpose = 'signing' | 'share' | 'copy' | 'verify' | 'mail-open';

/** Returns a link's token. `generation` counts from 1 and changes only for signing links. */
export function deriveLinkToken(purpose: LinkPurpose, id: string, generation = 1): string {
  return deriveToken(getAppSecret(), purpose, id, generation);
}

/** Returns the stored hash of the token. */
export function hashLinkToken(purpose: LinkPurpose, id: string, generation = 1): string {
  return hashToken(deriveLinkToken(purpose, id, generation));
}

export interface VanityHosts {
  custom_domain: string | null;
  custom_domain_verified_at: Date | null;
  custom_domain_confirmed_at: Date | null;
  custom_domain_failing_since: Date | null;
  subdomain: string | null;
}

/**
 * The time for which new links use a custom domain after its last proof. Proofs are checked hourly.
 */
const CONFIRMED_MS = 24 * 3_600_000;

/** Returns whether links may use the custom domain: recently proven, and no check failed. */
function mayUseDomain(property: VanityHosts): boolean {
  if (!property.custom_domain || !property.custom_domain_verified_at || property.custom_domain_failing_since)
    return false;
  const confirmed_at = property.custom_domain_confirmed_at ?? property.custom_domain_verified_at;
  return clock().now().getTime() - confirmed_at.getTime() < CONFIRMED_MS;
}

/**
 * Returns the origin of a property's signing links: its verified custom domain, or its subdomain,
 * or the main domain (specification, "Copy-link object"). A domain without a current proof would be
 * a dead link or a stranger's page.
 */
export function getSigningOrigin(property: VanityHosts): string {
  const main = new URL(config().app_url);
  if (mayUseDomain(property)) return `https://${property.custom_domain}`;
  // An IP address has no subdomains.
  if (property.subdomain && !/^[\d.]+$|:/.test(main.hostname)) {
    return `${main.protocol}//${property.subdomain}.${main.host}`;
  }
  return main.origin;
}

/** Returns `/sign/<token>` on the property's vanity domain. */
export function buildSigningUrl(property: VanityHosts, reservation_id: string, generation: number): string {
  return `${getSigningOrigin(property)}/sign/${deriveLinkToken('signing', reservation_id, generation)}`;
}

/** Returns the link to share when the guest's address is unknown. The guest enters it there. */
export function buildShareUrl(property: VanityHosts, reservation_id: string, generation: number): string {
  return `${getSigningOrigin(property)}/sign/${deriveLinkToken('share', reservation_id, generation)}`;
}

/** Returns the link to the guest's copy, always on the main domain. */
export function buildCopyUrl(signature_id: string): string {
  return `${config().app_url}/c/${deriveLinkToken('copy', signature_id)}`;
}

/**
 * Returns the link to the sealed PDF for the guest. The copy's token opens it, so it becomes
 * unavailable with the copy.
 */
export function buildCopyPdfUrl(signature_id: string): string {
  return `${buildCopyUrl(signature_id)}/certificate.pdf`;
}

export function deriveVerifyToken(signature_id: string): string {
  return deriveLinkToken('verify', signature_id);
}

/**
 * Returns the link to the public page that verifies PDF, snapshot and trail. The page does not
 * serve the PDF.
 */
export function buildVerifyUrl(signature_id: string): string {
  return `${config().app_url}/verify/${deriveVerifyToken(signature_id)}`;
}
