import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildGuestContentSecurityPolicy } from '@/shared/colour/brand';
import { GUEST_LOCALES } from '@/shared/guest-text/locale';
import { buildAssetsForTests } from '../testing/assets';
import * as models from '../testing/models';
import type { GuestLinkState } from '../view-models';
import { renderMissingEmailAddressPage } from './contact';
import { renderSignedCopyPage } from './copy';
import { renderSigningCompletedPage } from './done';
import { getGuestLinkStateHttpStatus, renderGuestLinkStatePage } from './link-state';
import { renderSigningReviewPage } from './review';
import { renderSignPage } from './sign';
import { renderVerifyPage } from './verify';

buildAssetsForTests();

const {
  sampleSignPageModel,
  sampleSigningDonePageModel,
  sampleContactPageModel,
  sampleSignedCopyPageModel,
  sampleVerifyPageModel,
  sampleGuestLinkStatePageModel,
  sampleReviewPageModel,
  samplePacketView: packet,
} = models;
const STATES: GuestLinkState[] = [
  'replaced',
  'cancelled',
  'expired',
  'unknown',
  'error',
  'rate_limited',
  'copy_revoked',
  'copy_redacted',
  'copy_altered',
];

const everyPage: [string, () => Promise<string>][] = [
  [
    'sign',
    () =>
      renderSignPage({
        ...sampleSignPageModel,
        selfie_required: true,
        code: { state: 'sent', sent_to: 'a•••@x.example', expires_in_minutes: 10 },
      }),
  ],
  ['review', () => renderSigningReviewPage(sampleReviewPageModel)],
  ['done', () => renderSigningCompletedPage(sampleSigningDonePageModel)],
  ['contact', () => renderMissingEmailAddressPage(sampleContactPageModel)],
  [
    'contact code',
    () => renderMissingEmailAddressPage({ ...sampleContactPageModel, step: 'code', email: 'ada@example.com' }),
  ],
  ['copy', () => renderSignedCopyPage(sampleSignedCopyPageModel)],
  ['verify', () => renderVerifyPage(sampleVerifyPageModel)],
  ...STATES.map((state): [string, () => Promise<string>] => [
    state,
    () => renderGuestLinkStatePage({ ...sampleGuestLinkStatePageModel, state }),
  ]),
];

describe.each(everyPage)('the %s page', (_, render) => {
  it('is one document with language, title, one heading, landmarks and a skip link', async () => {
    const html = await render();
    expect(html).toMatch(/^<!DOCTYPE html><html lang="en" dir="ltr">/);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html.match(/<title>[^<]+<\/title>/g)).toHaveLength(1);
    for (const landmark of ['<header', '<main id="content"', '<footer', 'href="#content"'])
      expect(html).toContain(landmark);
    expect(html).toContain('noindex');
  });

  it('has no inline script or handler, and no inline style except the one that its policy allows', async () => {
    const html = await render();
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).toMatch(/<script src="\/guest-assets\/guest\.[A-Z0-9]+\.js" defer=""><\/script>/);
    expect(html).not.toMatch(/ style="| on[a-z]+="/);
    const style = /<style>(.*?)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    const brand = style.includes('#0a6ebd') ? { brand_color: '#0a6ebd', logo_url: null } : null;
    expect(buildGuestContentSecurityPolicy(brand)).toContain(`'sha256-${hash}'`);
  });

  it('labels every input', async () => {
    const html = await render();
    const ids = [...html.matchAll(/<input(?![^>]*type="hidden")[^>]* id="([^"]+)"/g)].map((match) => match[1]);
    for (const id of ids) expect(html).toMatch(new RegExp(`<label[^>]* for="${id}"`));
    expect([...html.matchAll(/<input(?![^>]*type="hidden")(?![^>]* id=)/g)]).toHaveLength(0);
  });

  it('links to itself in every language', async () => {
    const html = await render();
    for (const locale of GUEST_LOCALES) expect(html).toMatch(new RegExp(`href="/[^"]+[?]lang=${locale}"`));
  });
});

describe('the signing page', () => {
  it('shows the whole packet', async () => {
    const html = await renderSignPage(sampleSignPageModel);
    for (const text of [
      'welcome to the loft.',
      'Quiet from 10 pm to 8 am.',
      'Our cat',
      '$85',
      '$30.50',
      'Only if you bring a pet',
      'per basket',
      'Loft-5G',
      'saltwater',
      'Extinguisher: left of the kitchen door.',
      'ESIGN',
      'July 2026',
      '4 nights',
    ]) {
      expect(html).toContain(text);
    }
    expect(html).toContain('<a href="https://example.com/guide" target="_blank" rel="noopener noreferrer nofollow">');
  });

  it('names withheld groups and when they appear, and never shows their content, even if the model has it', async () => {
    const leaky = {
      group: 'door_code',
      state: 'held',
      until: 'signing',
      text: 'SECRET-4711',
      password: 'SECRET',
    } as never;
    const html = await renderSignPage({
      ...sampleSignPageModel,
      packet: { ...packet, arrival: [leaky, ...packet.arrival.slice(2)] },
    });
    expect(html).toContain('Door code');
    expect(html).toContain('Shown as soon as you have signed');
    expect(html).toContain('Your host will give you this directly');
    expect(html).not.toContain('SECRET');
  });

  it('posts the hash of the displayed content to its own URL', async () => {
    const html = await renderSignPage(sampleSignPageModel);
    expect(html).toContain(
      `<input type="hidden" name="displayed_hash" value="${models.SAMPLE_SNAPSHOT_CONTENT_HASH}"/>`,
    );
    expect(html).toContain('<input type="hidden" name="locale" value="en"/>');
    expect(html).toMatch(/<form id="sign-form"[^>]* method="post">/);
    for (const name of ['typed_name', 'consent', 'drawn_signature']) expect(html).toContain(`name="${name}"`);
  });

  it('requests a photo and a code only when the property requires them', async () => {
    const without = await renderSignPage(sampleSignPageModel);
    expect(without).not.toContain('name="photo"');
    expect(without).not.toContain('name="otp_code"');
    const code = { state: 'not_sent', sent_to: 'a•••@x.example', expires_in_minutes: 10 } as const;
    const html = await renderSignPage({ ...sampleSignPageModel, selfie_required: true, code });
    expect(html).toContain('name="photo"');
    expect(html).toContain('name="otp_code"');
    expect(html).toContain('a•••@x.example');
    const values = { typed_name: 'Ada', otp_code: '123456' };
    const confirmed = await renderSignPage({ ...sampleSignPageModel, values, code: { ...code, state: 'confirmed' } });
    expect(confirmed).toContain('<input type="hidden" name="otp_code" value="123456"/>');
    expect(confirmed).not.toContain('id="otp_code"');
  });

  it('shows errors in a summary and next to the field, and preserves the input', async () => {
    const html = await renderSignPage({
      ...sampleSignPageModel,
      values: { typed_name: 'Ada "L"', otp_code: '' },
      errors: [{ field: 'typed_name', code: 'name_too_long' }],
    });
    expect(html).toContain('<a href="#typed_name">The name is too long. Use at most 120 characters.</a>');
    expect(html).toMatch(
      /id="typed_name"[^>]* aria-describedby="typed_name-error typed_name-hint" aria-invalid="true"/,
    );
    expect(html).toContain('value="Ada &quot;L&quot;"');
    expect(html).not.toContain('checked=""');
    expect(html).toMatch(/<div class="notice notice-error" id="errors" role="alert" tabindex="-1">/);
  });

  it('hides the error summary when there are no errors', async () => {
    expect(await renderSignPage(sampleSignPageModel)).toMatch(/id="errors"[^>]* hidden=""/);
  });

  it('marks content that changed after it was shown', async () => {
    const html = await renderSignPage({
      ...sampleSignPageModel,
      packet: { ...packet, rules: packet.rules.map((rule, at) => ({ ...rule, change: at === 0 ? 'added' : null })) },
      changes: {
        welcome_message: false,
        safety_notes: true,
        removed_rules: ['No shoes.'],
        removed_fees: [],
        removed_arrival: [],
        marked: true,
      },
    });
    expect(html).toContain('Your host changed something');
    expect(html).toMatch(/<strong class="mark">New<\/strong>.*Quiet from 10 pm/);
    expect(html).toContain('<del dir="auto">No shoes.</del>');
    expect(await renderSignPage(sampleSignPageModel)).not.toContain('Your host changed something');
  });

  it('is in the guest’s language, including dates and amounts', async () => {
    const html = await renderSignPage({ ...sampleSignPageModel, locale: 'de', packet: { ...packet, currency: 'EUR' } });
    expect(html).toContain('<html lang="de"');
    expect(html).toContain('Hausregeln');
    expect(html).toContain('30,50\u00a0€');
    expect(html).toContain('Freitag');
  });
});

describe('text of hosts and guests is escaped', () => {
  const evil = '</title></style><script>alert(1)</script><img src=x onerror=alert(1)>"\'';
  const brand = {
    property_name: evil,
    address: evil,
    logo_url: 'javascript:alert(1)',
    brand_color: '</style><script>',
  };
  const evilPacket = {
    welcome_message: evil,
    rules: [{ id: '1', text: evil, category: evil }],
    fees: [{ id: '1', label: evil, amount_cents: 1, unit: evil, description: evil, type: evil }],
    currency: evil,
    arrival: [
      { group: 'wifi' as const, state: 'visible' as const, network: evil, password: evil },
      { group: 'door_code' as const, state: 'visible' as const, text: evil },
    ],
    safety_notes: evil,
  };
  it.each([
    [
      'sign',
      () =>
        renderSignPage({
          ...sampleSignPageModel,
          brand,
          guest_name: evil,
          packet: evilPacket,
          values: { typed_name: evil, otp_code: evil },
          changes: {
            welcome_message: true,
            safety_notes: true,
            removed_rules: [evil],
            removed_fees: [{ label: evil, amount_cents: 1, currency: evil }],
            removed_arrival: ['wifi'],
            marked: true,
          },
        }),
    ],
    [
      'review',
      () => renderSigningReviewPage({ ...sampleReviewPageModel, brand, values: { typed_name: evil, otp_code: evil } }),
    ],
    [
      'done',
      () =>
        renderSigningCompletedPage({
          ...sampleSigningDonePageModel,
          brand,
          signed: { by: 'guest', name: evil, at: sampleSigningDonePageModel.signed.at },
          arrival: evilPacket.arrival,
          safety_notes: evil,
        }),
    ],
    ['contact', () => renderMissingEmailAddressPage({ ...sampleContactPageModel, brand, email: evil })],
    [
      'link state',
      () => renderGuestLinkStatePage({ ...sampleGuestLinkStatePageModel, brand, safety_notes: evil, reference: evil }),
    ],
    [
      'copy',
      () =>
        renderSignedCopyPage({
          ...sampleSignedCopyPageModel,
          brand,
          signer_name: evil,
          packet: evilPacket,
          drawn_signature: 'javascript:alert(1)',
        }),
    ],
    ['verify', () => renderVerifyPage({ ...sampleVerifyPageModel, brand, masked_name: evil })],
  ])('on the %s page', async (_, render) => {
    const html = await render();
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html).not.toContain('<img src=x');
    expect(html).not.toContain('javascript:');
    expect(html.match(/<\/style>/g)).toHaveLength(1);
    expect(html).toContain('&lt;script&gt;');
  });
});

describe('the page after signing', () => {
  it('shows the released arrival details, and links the copy and the certificate', async () => {
    const html = await renderSigningCompletedPage(sampleSigningDonePageModel);
    for (const text of [
      '4711#',
      'saltwater',
      'Signed by Ada Lovelace on June 20, 2026',
      'https://threshold.example/c/tok_copy',
    ]) {
      expect(html).toContain(text);
    }
    expect(html).toContain('href="/c/tok_copy/certificate.pdf"');
  });

  it('says that the certificate is being prepared, without a link to it', async () => {
    const html = await renderSigningCompletedPage({
      ...sampleSigningDonePageModel,
      pdf: { state: 'preparing', url: null },
    });
    expect(html).toContain('Your certificate is being prepared.');
    expect(html).not.toContain('certificate.pdf');
  });

  it('does not claim that the guest signed when the host marked the reservation as signed', async () => {
    const html = await renderSigningCompletedPage({
      ...sampleSigningDonePageModel,
      signed: { by: 'manual', at: sampleSigningDonePageModel.signed.at },
      copy_url: null,
      pdf: null,
    });
    expect(html).toContain('Your host has confirmed this for you.');
    expect(html).not.toMatch(/Signed by|Keep your copy/);
  });

  it('records a visit only when the guest returns', async () => {
    expect(await renderSigningCompletedPage({ ...sampleSigningDonePageModel, revisit: true })).toContain('data-beacon');
    expect(await renderSigningCompletedPage({ ...sampleSigningDonePageModel, revisit: false })).not.toContain(
      'data-beacon',
    );
  });
});

describe('link states', () => {
  it.each([
    ['replaced', 410],
    ['cancelled', 410],
    ['expired', 410],
    ['unknown', 404],
    ['error', 500],
    ['rate_limited', 429],
  ] as const)('the state %s returns %i', (state, status) => {
    expect(getGuestLinkStateHttpStatus(state)).toBe(status);
  });

  it('a cancelled link still shows the safety notes', async () => {
    expect(
      await renderGuestLinkStatePage({
        ...sampleGuestLinkStatePageModel,
        state: 'cancelled',
        safety_notes: 'Exit: left.',
      }),
    ).toContain('Exit: left.');
  });

  it('an unknown link does not name the property', async () => {
    expect(
      await renderGuestLinkStatePage({ ...sampleGuestLinkStatePageModel, state: 'unknown', brand: null }),
    ).not.toContain('Harbour Loft');
  });
});

describe('the verification page', () => {
  it('shows the hashes, the masked name and the drop zone', async () => {
    const html = await renderVerifyPage(sampleVerifyPageModel);
    expect(html).toContain('This certificate is genuine');
    expect(html.replace(/<\/?span>/g, '')).toContain(models.SAMPLE_SNAPSHOT_CONTENT_HASH);
    expect(html).toContain(`data-drop="${models.SAMPLE_PDF_HASH}"`);
    expect(html).toContain('A••• L•••');
  });

  it('shows the certificate’s entry in the public log with its proof, and reports a missing entry', async () => {
    const html = await renderVerifyPage(sampleVerifyPageModel);
    expect(html).toContain('Entry 12 of the public log');
    expect(html).toContain('href="/verify/tok_verify/inclusion.tlog-proof"');
    expect(html).toContain('href="/.well-known/threshold-log/checkpoint"');
    const missing = await renderVerifyPage({ ...sampleVerifyPageModel, log: { state: 'missing' } });
    expect(missing).toContain('Not found in the public log.');
    expect(missing).toContain('Something does not match');
  });

  it('names the broken entry of the history', async () => {
    const html = await renderVerifyPage({ ...sampleVerifyPageModel, chain: { state: 'broken', entry: 4 } });
    expect(html).toContain('Something does not match');
    expect(html).toContain('Broken at entry 4.');
  });

  it('shows neither a name nor a drop zone for a redacted certificate', async () => {
    const html = await renderVerifyPage({
      ...sampleVerifyPageModel,
      masked_name: null,
      content_state: 'redacted',
      redacted_at: '2026-08-01T10:00:00Z',
      seal: { state: 'removed' },
    });
    expect(html).toContain('personal data erased');
    expect(html).not.toMatch(/data-drop|Signed by/);
  });
});
