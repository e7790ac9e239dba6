import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { GUEST_LOCALES, type GuestLocale } from '@/shared/guest-text/locale';
import { GUEST_PAGE_ASSETS_URL_PATH, getGuestPageAssetUrlPaths, readGuestPageAsset } from '../asset-files';
import { buildAssetsForTests } from '../testing/assets';
import { samplePacketView, sampleSignPageModel } from '../testing/models';
import { renderSignPage } from './sign';

buildAssetsForTests();

const BUDGET_BYTES = 60_000;
const nameOf = (path: string) => path.slice(GUEST_PAGE_ASSETS_URL_PATH.length);

async function firstView(rules: number, fees: number, locale: GuestLocale = 'en'): Promise<number> {
  const words = 'please keep the garden gate closed whenever the neighbours’ chickens are out'.split(' ');
  // Returns varied text. Repeated text would compress better than real packets.
  const text = (seed: number) =>
    Array.from(
      { length: 24 },
      (_, at) => `${words[(seed * 7 + at * (seed % 5) + at) % words.length]}${(seed * at) % 13}`,
    ).join(' ');
  const html = await renderSignPage({
    ...sampleSignPageModel,
    locale,
    selfie_required: true,
    code: { state: 'not_sent', sent_to: 'a•••@x.example', expires_in_minutes: 10 },
    packet: {
      ...samplePacketView,
      rules: Array.from({ length: rules }, (_, at) => ({
        id: `rule_${at}`,
        text: text(at),
        category: `Category ${at % 8}`,
      })),
      fees: Array.from({ length: fees }, (_, at) => ({
        id: `fee_${at}`,
        label: `Fee ${at}`,
        amount_cents: at * 137,
        unit: 'per_stay',
        description: text(at),
        type: 'conditional_other',
      })),
    },
  });
  const assets = getGuestPageAssetUrlPaths();
  const files = [assets.css, assets.js].map(
    (path) => readGuestPageAsset(nameOf(path), 'gzip')?.body.length ?? Number.NaN,
  );
  return gzipSync(html).length + files.reduce((sum, bytes) => sum + bytes, 0);
}

describe('the first view of the signing page', () => {
  it.each([
    [20, 10],
    [200, 100],
  ])('with %i rules and %i fees transfers at most 60 KB, without fonts and images', async (rules, fees) => {
    expect(await firstView(rules, fees)).toBeLessThan(BUDGET_BYTES);
  });

  it.each(GUEST_LOCALES)('in %s transfers at most 60 KB', async (locale) => {
    expect(await firstView(200, 100, locale)).toBeLessThan(BUDGET_BYTES);
  });
});

describe('the static files of the guest pages', () => {
  it('are served compressed and cached for a year, under names with a content hash', () => {
    const name = nameOf(getGuestPageAssetUrlPaths().css);
    expect(name).toMatch(/^guest\.[A-Z0-9]{8}\.css$/);
    const file = readGuestPageAsset(name, 'gzip, deflate, br');
    expect(file?.headers).toMatchObject({
      'Content-Type': 'text/css; charset=utf-8',
      'Content-Encoding': 'br',
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
  });

  it.each([
    [null, undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.5', 'br'],
  ])('with Accept-Encoding %j are encoded as %j', (accepted, encoding) => {
    expect(readGuestPageAsset(nameOf(getGuestPageAssetUrlPaths().js), accepted)?.headers['Content-Encoding']).toBe(
      encoding,
    );
  });

  it.each(['../manifest.json', 'manifest.json', 'constructor', '', 'guest.css', '%2e%2e/x'])(
    'do not include %j',
    (name) => {
      expect(readGuestPageAsset(name, null)).toBeNull();
    },
  );
});
