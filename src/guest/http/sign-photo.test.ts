/**
 * Tests the photo and the drawing of a signature. Only pixels are stored, whatever file was posted.
 */
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAppSecret } from '@/config';
import { systemDb } from '@/infra/db/client';
import { decryptBytes } from '@/infra/encryption';
import { insertSentReservation } from '@/modules/certificates/testing/signed';
import { deriveLinkToken } from '@/modules/links/urls';
import { DRAWN_SIGNATURE_ENCRYPTION_PURPOSE, GUEST_PHOTO_ENCRYPTION_PURPOSE } from '@/modules/signing/service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { handleSignPageRequest, handleSignSubmit } from './sign';

let scope: Scope;
beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
});
afterAll(closeTestDatabase);

const flat = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#447' }, limitInputPixels: false });
const dataUrl = (type: string, bytes: Uint8Array) =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;

async function sign(pictures: Record<string, string>, lang = 'de') {
  const { reservation_id } = await insertSentReservation(scope);
  await systemDb().reservation.update({ where: { id: reservation_id }, data: { selfie_required: true } });
  const token = deriveLinkToken('signing', reservation_id);
  const url = `http://localhost/sign/${token}?lang=${lang}`;
  const page = await (await handleSignPageRequest(new Request(url), token)).text();
  const displayed_hash = /name="displayed_hash" value="([^"]*)"/.exec(page)?.[1] ?? '';
  const fields = { intent: 'sign', typed_name: 'Ada', consent: 'on', displayed_hash, locale: lang, ...pictures };
  const response = await handleSignSubmit(
    new Request(url, { method: 'POST', body: new URLSearchParams(fields) }),
    token,
  );
  const row = await systemDb().signature.findFirst({ where: { reservation_id } });
  return {
    status: response.status,
    text: await response.text(),
    photo: row?.photo ? decryptBytes(getAppSecret(), GUEST_PHOTO_ENCRYPTION_PURPOSE, row.photo) : null,
    drawing: row?.drawn_signature
      ? decryptBytes(getAppSecret(), DRAWN_SIGNATURE_ENCRYPTION_PURPOSE, row.drawn_signature)
      : null,
  };
}

it('a photo is stored small and upright, without location, camera, comments or appended data', async () => {
  const original = await flat(3_000, 1_500)
    .jpeg()
    .withExif({ IFD0: { Make: 'Camera-Of-Ada' }, IFD3: { GPSLatitude: '38/1 42/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  expect((await sharp(original).metadata()).orientation).toBe(6);
  expect(original.includes('Camera-Of-Ada')).toBe(true);
  const sent = Buffer.concat([original, Buffer.from('<script>hidden()</script>')]);
  const { status, photo } = await sign({ photo: dataUrl('jpeg', sent) });
  expect(status).toBe(303);
  const { exif, ...kept } = await sharp(photo ?? Buffer.alloc(0)).metadata();
  expect(exif).toBeUndefined();
  expect(kept).toMatchObject({ format: 'jpeg', width: 640, height: 1_280 });
  expect(kept.orientation ?? 1).toBe(1);
  for (const trace of ['Camera-Of-Ada', 'hidden()', 'Exif']) expect(photo?.includes(trace)).toBe(false);
});

it('a drawing is stored without appended data', async () => {
  const drawing = Buffer.concat([await flat(600, 200).png().toBuffer(), Buffer.from('hidden()')]);
  const photo = dataUrl('jpeg', await flat(40, 40).jpeg().toBuffer());
  const signed = await sign({ photo, drawn_signature: dataUrl('png', drawing) });
  expect(signed.status).toBe(303);
  expect(await sharp(signed.drawing ?? Buffer.alloc(0)).metadata()).toMatchObject({ format: 'png', width: 600 });
  expect(signed.drawing?.includes('hidden()')).toBe(false);
});

const UNREADABLE = 'Diese Datei ist nicht als Foto lesbar.';
it.each<[string, () => Promise<string>, string]>([
  ['half a JPEG', async () => dataUrl('jpeg', (await noise(400, 400)).subarray(0, 6_000)), UNREADABLE],
  ['a PNG declared as JPEG', async () => dataUrl('jpeg', await flat(40, 40).png().toBuffer()), UNREADABLE],
  [
    'a drawing in SVG',
    async () => dataUrl('jpeg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
    UNREADABLE,
  ],
  ['an HTML page', async () => dataUrl('jpeg', Buffer.from('<html>')), UNREADABLE],
  [
    'a photo with too many pixels',
    async () => dataUrl('jpeg', await flat(6_000, 5_000).jpeg().toBuffer()),
    'Das Foto ist zu groß.',
  ],
])('%s is refused in the guest’s language', async (_what, make, message) => {
  const { status, text, photo } = await sign({ photo: await make() });
  expect(status).toBe(422);
  expect(text).toContain(message);
  expect(photo).toBeNull();
});

it('a drawing with too many pixels in a small file is refused', async () => {
  const bomb = await flat(8_000, 8_000).png({ compressionLevel: 9 }).toBuffer();
  expect(bomb.length).toBeLessThan(300 * 1024);
  const photo = dataUrl('jpeg', await flat(40, 40).jpeg().toBuffer());
  expect((await sign({ photo, drawn_signature: dataUrl('png', bomb) })).status).toBe(422);
});

describe('without JavaScript', () => {
  /**
   * Posts the signing form as a browser without scripts does. `again` posts the form of the
   * returned review page.
   */
  async function signPlain(name: string, file: Uint8Array | null, changes: Record<string, string> = {}) {
    const { reservation_id } = await insertSentReservation(scope);
    await systemDb().reservation.update({ where: { id: reservation_id }, data: { selfie_required: true } });
    const token = deriveLinkToken('signing', reservation_id);
    const url = `http://localhost/sign/${token}?lang=en`;
    const page = await (await handleSignPageRequest(new Request(url), token)).text();
    expect(page).toMatch(/<form[^>]* enctype="multipart\/form-data"/i);
    const input = /<input[^>]*type="file"[^>]*>/.exec(page)?.[0] ?? '';
    const field = / name="([^"]+)"/.exec(input)?.[1] ?? '';
    const post = (fields: Record<string, string>, photo: File | null) => {
      const body = new FormData();
      for (const [key, value] of Object.entries(fields)) body.set(key, value);
      if (photo) body.set(field, photo);
      return handleSignSubmit(new Request(url, { method: 'POST', body }), token);
    };
    const fields = { ...hiddenFields(page), intent: 'review', typed_name: 'Ada', consent: 'on', ...changes };
    const chosen = new File(file ? [new Uint8Array(file)] : [], file ? name : '', { type: 'image/jpeg' });
    const review = await post(fields, chosen);
    const shown = await review.text();
    const again = (more: Record<string, string>) => post({ ...hiddenFields(shown), ...more }, new File([], ''));
    return { review, shown, again, signature: () => systemDb().signature.findFirst({ where: { reservation_id } }) };
  }

  it.each(['jpeg', 'png'] as const)('a %s from a plain file field is accepted as the photo', async (format) => {
    const file = await flat(3_000, 1_500).withMetadata({ orientation: 6 }).toFormat(format).toBuffer();
    const { review, shown, again, signature } = await signPlain(`me.${format}`, file);
    expect(review.status).toBe(200);
    expect(shown).toMatch(/<img[^>]* src="data:image\/jpeg;base64,/);
    expect((await again({ intent: 'sign' })).status).toBe(303);
    const { photo } = (await signature()) ?? {};
    const kept = await sharp(
      decryptBytes(getAppSecret(), GUEST_PHOTO_ENCRYPTION_PURPOSE, photo ?? new Uint8Array()),
    ).metadata();
    expect(kept).toMatchObject({ format: 'jpeg', width: 640, height: 1_280 });
  });

  it('a photo need not be chosen again after an error in another field', async () => {
    const file = await flat(600, 400).jpeg().toBuffer();
    const { review, shown, again, signature } = await signPlain('me.jpg', file, { typed_name: '' });
    expect(review.status).toBe(422);
    expect(shown).toContain('Type your full name.');
    expect(shown).not.toContain('href="#photo"');
    expect((await again({ intent: 'sign', typed_name: 'Ada', consent: 'on' })).status).toBe(303);
    expect((await signature())?.photo).not.toBeNull();
  });

  it.each<[string, () => Promise<Uint8Array | null>, string]>([
    ['no file', async () => null, 'Add a photo of yourself.'],
    ['half a photo', async () => (await noise(400, 400)).subarray(0, 6_000), 'could not be read as a photo'],
    ['a file above 10 MB', async () => new Uint8Array(10 * 1024 * 1024 + 1), 'The photo is too large.'],
  ])('%s is refused with its reason', async (_, make, reason) => {
    const { review, shown } = await signPlain('me.jpg', await make());
    expect(review.status).toBe(422);
    expect(shown).toContain(reason);
  });
});

it('the image library does not load SVG', async () => {
  await expect(
    sharp(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')).metadata(),
  ).rejects.toThrow();
});

/** Returns a picture of random pixels, which cannot be compressed. */
async function noise(width: number, height: number): Promise<Buffer> {
  return sharp({
    create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 120, sigma: 40 } },
  })
    .jpeg()
    .toBuffer();
}

/** Returns the fields that a browser posts when it submits this page's form unchanged. */
const hiddenFields = (page: string) =>
  Object.fromEntries(
    [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
      name ?? '',
      value ?? '',
    ]),
  );

it('photo and drawing survive the review in a browser with scripts but without the dialog element', async () => {
  const { reservation_id } = await insertSentReservation(scope);
  await systemDb().reservation.update({ where: { id: reservation_id }, data: { selfie_required: true } });
  const token = deriveLinkToken('signing', reservation_id);
  const url = `http://localhost/sign/${token}?lang=en`;
  const page = await (await handleSignPageRequest(new Request(url), token)).text();
  const displayed_hash = hiddenFields(page).displayed_hash ?? '';
  const post = (fields: Record<string, string>) =>
    handleSignSubmit(new Request(url, { method: 'POST', body: new URLSearchParams(fields) }), token);
  const review = await post({
    ...{ intent: 'review', typed_name: 'Ada', consent: 'on', displayed_hash, locale: 'en' },
    photo: dataUrl('jpeg', await flat(400, 300).jpeg().toBuffer()),
    drawn_signature: dataUrl('png', await flat(600, 200).png().toBuffer()),
  });
  expect(review.status).toBe(200);
  const shown = await review.text();
  expect(shown.match(/<img[^>]* src="data:image\//g)).toHaveLength(2);
  expect((await post({ ...hiddenFields(shown), intent: 'sign' })).status).toBe(303);
  const row = await systemDb().signature.findFirstOrThrow({ where: { reservation_id } });
  expect(row.photo).not.toBeNull();
  expect(row.drawn_signature).not.toBeNull();
});
