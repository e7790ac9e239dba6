import { expect, it } from 'vitest';
import { createEmptyPacketContent } from '@/modules/packets/rules/content';
import { toPropertyBrandView } from '@/modules/signing/display';
import { EMPTY_SENDER_DETAILS } from '@/shared/guest-text/sender';
import { renderSigningPagePreview } from './preview';

const brand = toPropertyBrandView({ name: 'Casa Azul', address: null, brand_color: null, logo_url: null });
const typed = { ...createEmptyPacketContent(), welcome_message: 'Welcome, {{guest_name}}' };
const input = {
  brand,
  photo_required: false,
  required_acceptances: [],
  sender: EMPTY_SENDER_DETAILS,
  locale: 'en',
  now: new Date('2026-05-01T10:00:00Z'),
} as const;

it('the preview shows the unsaved text instead of the stored text, and contains no script', async () => {
  // Contains every column of a packet, as in production.
  const packet = { id: 'pkt_1', name: 'House rules', ...createEmptyPacketContent(), welcome_message: 'What is stored' };
  const html = await renderSigningPagePreview({ ...input, packet, content: typed });
  expect(html).toContain('Welcome, Ada Lovelace');
  expect(html).not.toContain('What is stored');
  expect(html).not.toMatch(/<script/);
});
