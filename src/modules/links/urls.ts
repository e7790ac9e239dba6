/**
 * The guest's links. Tokens are derived from the master secret, an id and a generation, so that the API can show a
 * link again although only its hash is stored; a new generation makes a new link and kills the old one.
 */
import { appSecret, config } from '@/config';
import { deriveToken, hashToken } from '@/infra/encryption';
import { clock } from '@/shared/clock';

export type LinkPurpose = 'signing' | 'share' | 'copy' | 'verify' | 'mail-open';

/** A link's token. `generation` counts from 1 for signing links; copies and verifications have one generation. */
export function linkToken(purpose: LinkPurpose, id: string, generation = 1): string {
  return deriveToken(appSecret(), purpose, id, generation);
}

/** The token's stored form. */
export function linkTokenHash(purpose: LinkPurpose, id: string, generation = 1): string {
  return hashToken(linkToken(purpose, id, generation));
}

export interface VanityHosts {
  custom_domain: string | null;
  custom_domain_verified_at: Date | null;
  custom_domain_confirmed_at: Date | null;
  custom_domain_failing_since: Date | null;
  subdomain: string | null;
}

/** New links stay on a custom domain for so long after its proof was last found. It is looked for every hour. */
const CONFIRMED_MS = 24 * 3_600_000;

/** Whether links may lead to the property's custom domain: it was proven, lately, and no answer since said otherwise. */
function mayCarryLinks(property: VanityHosts): boolean {
  if (!property.custom_domain || !property.custom_domain_verified_at || property.custom_domain_failing_since)
    return false;
  const confirmed_at = property.custom_domain_confirmed_at ?? property.custom_domain_verified_at;
  return clock().now().getTime() - confirmed_at.getTime() < CONFIRMED_MS;
}

/**
 * The origin of a property's signing links: its verified custom domain, then its subdomain, then the main domain
 * (specification, "Copy-link object"). A domain that is not proven now would be a dead link, or somebody else's page.
 */
export function signingOrigin(property: VanityHosts): string {
  const main = new URL(config().app_url);
  if (mayCarryLinks(property)) return `https://${property.custom_domain}`;
  // An IP address has no subdomains.
  if (property.subdomain && !/^[\d.]+$|:/.test(main.hostname)) {
    return `${main.protocol}//${property.subdomain}.${main.host}`;
  }
  return main.origin;
}

/** `/sign/<token>` on the property's vanity domain. */
export function signingUrl(property: VanityHosts, reservation_id: string, generation: number): string {
  return `${signingOrigin(property)}/sign/${linkToken('signing', reservation_id, generation)}`;
}

/** The link a host shares when there is no address; on it the guest enters one. */
export function shareUrl(property: VanityHosts, reservation_id: string, generation: number): string {
  return `${signingOrigin(property)}/sign/${linkToken('share', reservation_id, generation)}`;
}

/** The guest's copy: on the main domain only. */
export function copyUrl(signature_id: string): string {
  return `${config().app_url}/c/${linkToken('copy', signature_id)}`;
}

/** The sealed PDF for the guest, under the copy's token: it ends with the copy. */
export function copyPdfUrl(signature_id: string): string {
  return `${copyUrl(signature_id)}/certificate.pdf`;
}

export function verifyToken(signature_id: string): string {
  return linkToken('verify', signature_id);
}

/** The public page that shows whether PDF, snapshot and trail agree. It gives the PDF to nobody. */
export function verifyUrl(signature_id: string): string {
  return `${config().app_url}/verify/${verifyToken(signature_id)}`;
}
