/** Detects requests for a tracking pixel by programs, such as mail scanners. Pure. */

export interface TrackingPixelRequest {
  method: string;
  user_agent: string | null;
  /** The value of the `Purpose`, `Sec-Purpose` or `X-Moz` header. */
  purpose: string | null;
}

/**
 * User agents of security gateways, crawlers and scripts. The image proxies of Gmail and Yahoo are
 * not included, because they request the pixel when a person opens the mail.
 */
const MACHINES = new RegExp(
  [
    'barracuda|proofpoint|mimecast|messagelabs|symantec|trendmicro|fireeye|trellix|forcepoint|sophos|cisco|ironport',
    'zscaler|paloalto|fortiguard|checkpoint|avanan|vade|spamtitan|mailscanner|safelinks|defender|urlscan|virustotal',
    '\\bbot\\b|bot/|crawler|spider|preview|headless|phantomjs|python-|curl/|wget/|libwww|java/|go-http-client|okhttp',
    'node-fetch|undici|axios|scrapy|monitor|slackbot|facebookexternalhit|whatsapp|telegrambot|discordbot',
  ].join('|'),
  'i',
);

/** The user agent of Apple's mail privacy proxy, which requests every image in advance. */
const APPLE_PROXY = 'Mozilla/5.0';

/** Returns whether a program may have made the request. */
export function canTrackingPixelRequestBeAutomated({ method, user_agent, purpose }: TrackingPixelRequest): boolean {
  if (method !== 'GET') return true;
  if (purpose && /prefetch|preview|prerender/i.test(purpose)) return true;
  const agent = user_agent?.trim() ?? '';
  return agent === '' || agent === APPLE_PROXY || MACHINES.test(agent);
}
