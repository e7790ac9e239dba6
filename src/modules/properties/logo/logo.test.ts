import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { config } from '@/config';
import { systemDb } from '@/infra/db/client';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { PropertyCreate } from '../schemas';
import { createProperty } from '../service';
import { serveLogo } from './http';
import { readLogo, uploadLogo } from './service';

let scope: Scope;
let property_id: string;
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  scope = await insertTeam();
  property_id = (await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }))).id;
});

const picture = (width: number, height = width) =>
  sharp({ create: { width, height, channels: 4, background: '#0f5e56' } });
const file = (url: string | null) => url?.split('/').at(-1) ?? '';

it('an uploaded logo is shrunk, stripped of metadata and served under a public address', async () => {
  const given = await picture(2_000, 1_000)
    .withExif({ IFD0: { Copyright: 'SECRET-PLACE' } })
    .png()
    .toBuffer();
  expect(given.toString('latin1')).toContain('SECRET-PLACE');
  const { logo_url } = await uploadLogo(scope, property_id, given);
  expect(logo_url).toMatch(new RegExp(`^${config().app_url}/logo/[0-9a-f]{32}\\.png$`));
  const answer = await serveLogo(file(logo_url));
  expect(answer.headers.get('content-type')).toBe('image/png');
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 512, height: 256 });
  expect(bytes.toString('latin1')).not.toContain('SECRET-PLACE');
  // Certificates embed this file.
  expect(Buffer.from((await readLogo(logo_url ?? ''))?.bytes ?? []).equals(bytes)).toBe(true);
  const events = await systemDb().event.findMany({ where: { type: 'property.updated' } });
  expect(events.map(({ body }) => JSON.parse(body).data.object.logo_url)).toEqual([logo_url]);
});

it.each([
  ['a text', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['the beginning of a PNG', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])],
  ['an empty file', Buffer.alloc(0)],
])('%s is rejected as a logo and changes nothing', async (_name, bytes) => {
  await expect(uploadLogo(scope, property_id, bytes)).rejects.toMatchObject({
    code: 'invalid_field',
    param: 'picture',
  });
  expect(await systemDb().propertyLogo.count()).toBe(0);
});

it('an image with more pixels than a camera’s is rejected as a logo', async () => {
  const bomb = await picture(6_000, 5_000).png().toBuffer();
  await expect(uploadLogo(scope, property_id, bomb)).rejects.toMatchObject({ code: 'invalid_field' });
});

it('the last ten logos are kept for mails already sent, and all are deleted with the property', async () => {
  const jpeg = await picture(20).jpeg().toBuffer();
  const urls: (string | null)[] = [];
  for (let upload = 0; upload < 12; upload++) urls.push((await uploadLogo(scope, property_id, jpeg)).logo_url);
  expect(await systemDb().propertyLogo.count()).toBe(10);
  expect((await serveLogo(file(urls[0] ?? null))).status).toBe(404);
  expect((await serveLogo(file(urls[2] ?? null))).status).toBe(200);
  await systemDb().property.delete({ where: { id: property_id } });
  expect((await serveLogo(file(urls[11] ?? null))).status).toBe(404);
});

it('a logo cannot be uploaded to another team’s property', async () => {
  const stranger = await insertTeam('live', 'other@example.com');
  const bytes = await picture(20).png().toBuffer();
  await expect(uploadLogo(stranger, property_id, bytes)).rejects.toMatchObject({ code: 'resource_missing' });
});

it.each(['x.png', '../../etc/passwd', `${'0'.repeat(32)}.svg`, `${'0'.repeat(32)}.png`])(
  'the unknown logo file %s is not served',
  async (name) => {
    expect((await serveLogo(name)).status).toBe(404);
    expect(await readLogo(`https://elsewhere.example/logo/${name}`)).toBeNull();
  },
);
