/** Detects requests for an open pixel that are not made by a person. Pure. */

export interface PixelRequest {
  method: string;
  user_agent: string | null;
  /** `Purpose`, `Sec-Purpose` or `X-Moz`. */
  purpose: string | null;
}

/**
 * Security gateways, crawlers and scripts. The image proxies of Gmail and Yahoo are not among them,
 * because they request the pixel when a person opens the mail.
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

/**
 * Apple's mail privacy proxy requests every image in advance, and sends only this as user agent.
 */
const APPLE_PROXY = 'Mozilla/5.0';

/** Returns whether the request does not show that a person opened the mail. */
export function isMachineOpen({ method, user_agent, purpose }: PixelRequest): boolean {
  if (method !== 'GET') return true;
  if (purpose && /prefetch|preview|prerender/i.test(purpose)) return true;
  const agent = user_agent?.trim() ?? '';
  return agent === '' || agent === APPLE_PROXY || MACHINES.test(agent);
}
