/**
 * Decides which URLs of customers the installation may request (design, "Outbound requests"). This
 * check gives a clear error when the URL is saved. The addresses of its host name are checked again
 * at every connection (connector.ts).
 */

import { isIP } from 'node:net';
import { AppError } from '@/shared/errors';
import { createRefusal, type Refusal } from '@/shared/refusals/refusal';
import { isAllowedOutboundIpAddress } from './address';

export interface OutboundUrlRules {
  /** For development and tests: allows http and hosts on this machine. */
  allow_loopback?: boolean;
  /** For calendar feeds: `webcal:` is read as `https:`. */
  allow_webcal?: boolean;
}

export type OutboundUrlVerdict =
  | { ok: true; url: URL }
  | { ok: false; code: 'url_not_https' | 'url_not_allowed'; message: Refusal };

const MAX_URL_LENGTH = 2048;

/**
 * Endings of names that have a meaning only inside a network or on this machine. Clouds use some of
 * them for their metadata service.
 */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'localdomain', 'lan', 'home.arpa', 'intranet', 'corp'];

const notAllowed = (message: Refusal): OutboundUrlVerdict => ({ ok: false, code: 'url_not_allowed', message });

/** Checks a URL without throwing. An accepted URL is normalised: https for webcal, no fragment. */
export function validateAndNormalizeOutboundUrl(raw: string, rules: OutboundUrlRules = {}): OutboundUrlVerdict {
  const allow_loopback = rules.allow_loopback ?? false;
  const trimmed = raw.trim();
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(trimmed)?.[1]?.toLowerCase();
  const normalised =
    rules.allow_webcal && (scheme === 'webcal' || scheme === 'webcals') ? trimmed.replace(/^[^:]+/, 'https') : trimmed;
  const allowedScheme = /^https:\/\//i.test(normalised) || (allow_loopback && scheme === 'http');
  if (!allowedScheme) {
    return { ok: false, code: 'url_not_https', message: createRefusal('url_not_https') };
  }
  // The URL parser silently drops tabs and newlines and reads `\` as `/`. The requested URL would
  // then differ from the URL that a person sees.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose.
  if (/[\u0000-\u0020\u007f\\]/.test(normalised)) return notAllowed(createRefusal('url_holds_spaces'));
  if (normalised.length > MAX_URL_LENGTH)
    return notAllowed(createRefusal('url_is_longer_than', { most: MAX_URL_LENGTH }));
  // The URL parser reads `https:///host` as `https://host`.
  if (/^[a-z]+:\/\/\//i.test(normalised)) return notAllowed(createRefusal('url_has_no_host'));
  if (!URL.canParse(normalised)) return notAllowed(createRefusal('url_cannot_be_parsed'));

  const url = new URL(normalised);
  url.hash = '';
  // The limit applies to the stored form, in which a character outside ASCII takes up to nine
  // characters.
  if (url.href.length > MAX_URL_LENGTH)
    return notAllowed(createRefusal('url_is_longer_than', { most: MAX_URL_LENGTH }));
  if (url.username !== '' || url.password !== '') return notAllowed(createRefusal('url_holds_credentials'));
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const allowedPort = port === 443 || port >= 1024 || (url.protocol === 'http:' && port === 80);
  if (!allowedPort) return notAllowed(createRefusal('url_has_a_port'));

  const literal = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  if (isIP(literal) !== 0) {
    return isAllowedOutboundIpAddress(literal, allow_loopback)
      ? { ok: true, url }
      : notAllowed(createRefusal('url_is_private'));
  }
  const labels = url.hostname.toLowerCase().replace(/\.$/, '');
  const isLocalhost = labels === 'localhost' || labels.endsWith('.localhost');
  if (allow_loopback && isLocalhost) return { ok: true, url };
  const isPrivateName = PRIVATE_SUFFIXES.some((suffix) => labels === suffix || labels.endsWith(`.${suffix}`));
  if (isPrivateName || !labels.includes('.')) return notAllowed(createRefusal('url_host_is_not_public'));
  if (labels.split('.').some((label) => label === '')) return notAllowed(createRefusal('url_host_is_not_valid'));
  return { ok: true, url };
}

/**
 * Returns the URL if the installation may request it. Throws AppError `url_not_https` for another
 * scheme (`allow_webcal` accepts webcal as https). Throws `url_not_allowed` for credentials, a port
 * below 1024 other than 443, a private address, or a URL that cannot be parsed. Both errors contain
 * `param`.
 */
export function assertOutboundUrlAllowed(raw: string, options: OutboundUrlRules & { param: string }): URL {
  const verdict = validateAndNormalizeOutboundUrl(raw, options);
  if (!verdict.ok) throw new AppError(verdict.code, { param: options.param, message: verdict.message });
  return verdict.url;
}
