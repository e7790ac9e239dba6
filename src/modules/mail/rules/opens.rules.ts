/** Which fetches of an open pixel are not a person's. Pure. */

export interface PixelRequest {
  method: string;
  user_agent: string | null;
  /** `Purpose`, `Sec-Purpose` or `X-Moz`. */
  purpose: string | null;
}

/**
 * Security gateways that open everything, crawlers and scripts. Gmail's and Yahoo's image proxies fetch when a person
 * opens the mail, so they are not among them.
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

/** Apple's mail privacy proxy fetches every image whether or not anybody reads, and calls itself just this. */
const APPLE_PROXY = 'Mozilla/5.0';

/** Whether the fetch says nothing about a person having opened the mail. */
export function isMachineOpen({ method, user_agent, purpose }: PixelRequest): boolean {
  if (method !== 'GET') return true;
  if (purpose && /prefetch|preview|prerender/i.test(purpose)) return true;
  const agent = user_agent?.trim() ?? '';
  return agent === '' || agent === APPLE_PROXY || MACHINES.test(agent);
}
