import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatDay, formatInstant, formatMoney } from '@/shared/guest-text/format';
import { GUEST_LANGUAGES, GUEST_LOCALES } from '@/shared/guest-text/locale';
import { buildAssetsForTests } from '../testing/assets';
import {
  sampleContactPageModel,
  sampleGuestLinkStatePageModel,
  sampleReviewPageModel,
  sampleSignedCopyPageModel,
  sampleSigningDonePageModel,
  sampleSignPageModel,
  sampleVerifyPageModel,
} from '../testing/models';
import { renderMissingEmailAddressPage } from './contact';
import { renderSignedCopyPage } from './copy';
import { renderSigningCompletedPage } from './done';
import { renderGuestLinkStatePage } from './link-state';
import { renderSigningReviewPage } from './review';
import { renderSignPage } from './sign';
import { renderVerifyPage } from './verify';

buildAssetsForTests();

describe.each(GUEST_LOCALES)('every guest page in %s', (locale) => {
  const { tag, dir } = GUEST_LANGUAGES[locale];
  const pages = () =>
    Promise.all([
      renderSignPage({
        ...sampleSignPageModel,
        locale,
        selfie_required: true,
        code: { state: 'not_sent', sent_to: 'a•••@x.example', expires_in_minutes: 10 },
      }),
      renderSigningReviewPage({ ...sampleReviewPageModel, locale }),
      renderSigningCompletedPage({ ...sampleSigningDonePageModel, locale }),
      renderMissingEmailAddressPage({ ...sampleContactPageModel, locale }),
      renderSignedCopyPage({ ...sampleSignedCopyPageModel, locale }),
      renderVerifyPage({ ...sampleVerifyPageModel, locale }),
      renderGuestLinkStatePage({ ...sampleGuestLinkStatePageModel, locale }),
    ]);

  it('declares its language and direction, and has no unfilled placeholder', async () => {
    for (const html of await pages()) {
      expect(html).toContain(`<html lang="${tag}" dir="${dir}">`);
      expect(html.replace(/<style>.*?<\/style>/gs, '')).not.toMatch(/\{\w+\}/);
    }
  });

  it('shows codes, passwords and hashes left to right', async () => {
    for (const html of await pages()) {
      for (const [code] of html.matchAll(/<code[^>]*translate="no"[^>]*>/g)) expect(code).toContain('dir="ltr"');
    }
  });

  it('links every language by its own name, and marks the current one', async () => {
    const html = await renderSignPage({ ...sampleSignPageModel, locale });
    for (const other of GUEST_LOCALES) expect(html).toContain(`>${GUEST_LANGUAGES[other].name}</a>`);
    expect(html.match(/aria-current="true"/g)).toHaveLength(1);
  });
});

it('the stylesheets use no left or right properties, so that pages work in both text directions', () => {
  const folder = join(import.meta.dirname, '../assets');
  const sheets = readdirSync(folder).filter((name) => name.endsWith('.css'));
  expect(sheets.length).toBeGreaterThan(5);
  for (const name of sheets) {
    const css = readFileSync(join(folder, name), 'utf8').replace(/\/\*.*?\*\//gs, '');
    const sides = css.match(
      /(?<![-\w])(?:(?:margin|padding|border|inset|scroll-margin)-)?(?:left|right)(?:-\w+)*\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)/g,
    );
    expect([name, sides]).toEqual([name, null]);
  }
});

describe('dates, times and money', () => {
  const nbsp = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ').replace(/[\u200e\u200f]/g, '');
  it.each([
    ['en', 'July 3, 2026', '$1,250.50'],
    ['en-GB', '3 July 2026', 'US$1,250.50'],
    ['de', '3. Juli 2026', '1.250,50 $'],
    ['fr', '3 juillet 2026', '1 250,50 $US'],
    ['es', '3 de julio de 2026', '1250,50 US$'],
    ['it', '3 luglio 2026', '1250,50 USD'],
    ['pt', '3 de julho de 2026', '1250,50 US$'],
    ['pt-BR', '3 de julho de 2026', 'US$ 1.250,50'],
    ['nl', '3 juli 2026', 'US$ 1.250,50'],
    ['pl', '3 lipca 2026', '1250,50 USD'],
    ['ru', '3 июля 2026 г.', '1 250,50 $'],
    ['ar', '3 يوليو 2026', '1,250.50 US$'],
    ['zh-Hans', '2026年7月3日', 'US$1,250.50'],
    ['ja', '2026年7月3日', '$1,250.50'],
    ['ko', '2026년 7월 3일', 'US$1,250.50'],
  ] as const)('are formatted in %s as %s and %s', (locale, day, money) => {
    expect(formatDay('2026-07-03', locale, 'long')).toBe(day);
    expect(nbsp(formatMoney(125_050, 'USD', locale))).toBe(money);
    expect(formatInstant('2026-07-03T15:04:00Z', locale, 'Europe/Lisbon')).toMatch(/2026/);
    // No locale uses Arabic-Indic digits, because codes and hashes contain only the digits 0 to 9.
    expect(formatDay('2026-07-03', locale) + formatMoney(125_050, 'USD', locale)).not.toMatch(
      /[\u0660-\u0669\u06f0-\u06f9]/,
    );
  });

  it('are tested in all fifteen languages', () => {
    expect(GUEST_LOCALES).toHaveLength(15);
  });
});
