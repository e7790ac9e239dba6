import { expect, it } from 'vitest';
import { canTrackingPixelRequestBeAutomated } from './opens.rules';

const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15';

it.each([
  ['a phone', PHONE, null, false],
  [
    'Gmail’s proxy, which fetches when a person opens',
    'Mozilla/5.0 (Windows NT 5.1) Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    null,
    false,
  ],
  ['Outlook', 'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; Microsoft Outlook 16.0)', null, false],
  ['Apple’s privacy proxy', 'Mozilla/5.0', null, true],
  ['a prefetch', PHONE, 'prefetch;prerender', true],
  ['no user agent', null, null, true],
  ['a blank user agent', '  ', null, true],
  ['a preview', PHONE, 'PREVIEW', true],
  ['another purpose', PHONE, 'document', false],
  ['Googlebot', 'Mozilla/5.0 (compatible; Googlebot/2.1)', null, true],
  ['a script', 'python-requests/2.31', null, true],
  ['Mimecast', 'Mozilla/5.0 (compatible; Mimecast)', null, true],
  ['a headless browser', 'Mozilla/5.0 HeadlessChrome/120.0', null, true],
])('%s counts as a machine: $3', (_name, user_agent, purpose, machine) => {
  expect(canTrackingPixelRequestBeAutomated({ method: 'GET', user_agent, purpose })).toBe(machine);
});

it('a HEAD request does not count as an open', () => {
  expect(canTrackingPixelRequestBeAutomated({ method: 'HEAD', user_agent: PHONE, purpose: null })).toBe(true);
});
