import { expect, it } from 'vitest';
import { setConfig } from '@/config';
import { buildSecurityHeaders } from './security-headers';

it('an endpoint’s shared page sends no referrer; other pages send one only to this site', () => {
  setConfig({ app_url: 'https://app.threshold.example' });
  const policy = (url?: string) => buildSecurityHeaders(url)['Referrer-Policy'];
  expect(policy('/portal/a-token?after=whd_1')).toBe('no-referrer');
  for (const url of ['/sign/a-token', '/', '/portal', undefined]) expect(policy(url)).toBe('same-origin');
});
