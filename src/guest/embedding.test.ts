/**
 * Tests which pages can be embedded in which other sites, and which site the audit trail records.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { insertSentReservation, signAsGuest } from '@/modules/certificates/testing/signed';
import { deriveLinkToken } from '@/modules/links/urls';
import { updateProperty } from '@/modules/properties/service';
import { cancelReservation } from '@/modules/reservations/service';
import { listTrailEntries } from '@/modules/trail/service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { handleSignedCopyPageRequest } from './http/certificate/copy';
import { handleVerifyPageRequest } from './http/certificate/verify';
import { handleSignPageRequest, handleSignPageViewEvent, handleSignSubmit } from './http/sign';

const PORTAL = 'https://portal.example';
const OTHER = 'https://other.example';
const NONE = "frame-ancestors 'none'";

let scope: Scope;
beforeAll(async () => {
  await openTestDatabase();
  scope = await insertTeam();
});
afterAll(closeTestDatabase);

async function insertLink(embed_origins: string[]) {
  const made = await insertSentReservation(scope);
  await updateProperty(scope, made.property_id, { embed_origins }, null);
  const token = deriveLinkToken('signing', made.reservation_id);
  return { ...made, token, url: `http://localhost/sign/${token}` };
}
type Link = Awaited<ReturnType<typeof insertLink>>;

const get = ({ token, url }: Link) => handleSignPageRequest(new Request(url), token);

/**
 * Posts a form as a browser does, either from a frame on the site `named` or from a window of its
 * own.
 */
function post({ token, url }: Link, fields: Record<string, string>, dest = 'iframe', named: string | null = PORTAL) {
  const query = named === null ? '' : `?embedded_in=${encodeURIComponent(named)}`;
  const headers = { 'sec-fetch-dest': dest };
  return handleSignSubmit(
    new Request(url + query, { method: 'POST', headers, body: new URLSearchParams(fields) }),
    token,
  );
}

const framing = (answer: Response) => {
  // Older browsers obey this header instead of the policy, so it must be absent.
  expect(answer.headers.get('x-frame-options')).toBeNull();
  return (answer.headers.get('content-security-policy') ?? '').split('; ').filter((one) => one.startsWith('frame-'));
};
const hashIn = (page: string) => /name="displayed_hash" value="([^"]*)"/.exec(page)?.[1] ?? '';

describe('the signing page of a property', () => {
  it('can be embedded only by the allowed sites, in every link state, and keeps the rest of its policy', async () => {
    const closed = await insertLink([]);
    const link = await insertLink([PORTAL, OTHER]);
    const allowed = [`frame-ancestors ${PORTAL} ${OTHER}`];
    const page = await get(link);
    expect(framing(page)).toEqual(allowed);
    const policies = [page, await get(closed)].map((one) =>
      one.headers.get('content-security-policy')?.replace(/frame-ancestors .*/, ''),
    );
    expect(policies[0]).toBe(policies[1]);
    expect(framing(await post(link, { typed_name: '', intent: 'sign' }))).toEqual(allowed);
    const displayed_hash = hashIn(await page.text());
    const review = { intent: 'review', typed_name: 'Ada', consent: 'on', displayed_hash, locale: 'en' };
    expect(framing(await post(link, review))).toEqual(allowed);
    expect((await post(link, { ...review, intent: 'sign' })).status).toBe(303);
    expect(framing(await get(link))).toEqual(allowed);
    const cancelled = await insertLink([PORTAL]);
    await cancelReservation(scope, cancelled.reservation_id);
    expect(framing(await get(cancelled))).toEqual([`frame-ancestors ${PORTAL}`]);
  });

  it('without allowed sites, an unknown link, the copy page and the verification page cannot be embedded', async () => {
    const { reservation_id } = await insertLink([PORTAL]);
    const signature_id = await signAsGuest(scope, reservation_id);
    const other = await insertLink([]);
    const [copy, verify] = [deriveLinkToken('copy', signature_id), deriveLinkToken('verify', signature_id)];
    const pages = [
      await get(other),
      await get({ ...other, token: 'x'.repeat(32) }),
      await handleSignedCopyPageRequest(new Request('http://localhost/c/x'), copy),
      await handleVerifyPageRequest(new Request('http://localhost/verify/x'), verify),
    ];
    expect(pages.map(({ status }) => status)).toEqual([200, 404, 200, 200]);
    for (const page of pages) expect(framing(page)).toEqual([NONE]);
  });

  it('can no longer be embedded by a site that is removed from the list', async () => {
    const link = await insertLink([PORTAL]);
    await updateProperty(scope, link.property_id, { embed_origins: [] }, null);
    expect(framing(await get(link))).toEqual([NONE]);
  });
});

describe('the trail', () => {
  const said = async ({ reservation_id }: Link) =>
    Object.fromEntries(
      (await listTrailEntries(scope, reservation_id))
        .filter(({ type }) => /clicked|consent|signed/.test(type))
        .map(({ type, data }) => [type, (data as { embedded_in?: string }).embedded_in]),
    );
  const signed = async (link: Link, dest: string, named: string | null) => {
    const displayed_hash = hashIn(await (await get(link)).text());
    const fields = { intent: 'sign', typed_name: 'Ada Lovelace', consent: 'on', displayed_hash, locale: 'en' };
    expect((await post(link, fields, dest, named)).status).toBe(303);
    return said(link);
  };
  const all = (origin: string | undefined) => ({
    'reservation.clicked': origin,
    'consent.given': origin,
    'reservation.signed': origin,
  });

  it.each([
    ['names the site in whose page the guest signed', 'iframe', PORTAL, PORTAL],
    ['names no site when the page was opened in its own window', 'document', PORTAL, undefined],
    ['records a site that is not on the list as unknown', 'iframe', 'https://evil.example', 'unknown'],
  ])('%s', async (_, dest, named, expected) => {
    expect(await signed(await insertLink([PORTAL, OTHER]), dest, named)).toEqual(all(expected));
  });

  it('names the embedding site when the page reports a view', async () => {
    const link = await insertLink([PORTAL]);
    const url = `${link.url}/view?embedded_in=${encodeURIComponent(PORTAL)}`;
    await handleSignPageViewEvent(
      new Request(url, { method: 'POST', headers: { 'sec-fetch-dest': 'empty' } }),
      link.token,
    );
    expect(await said(link)).toEqual({ 'reservation.clicked': PORTAL });
  });
});

describe('the list of sites that may embed the page', () => {
  it('may contain localhost for a test property, but not for a live one', async () => {
    const [test, live] = (['test', 'live'] as const).map((mode): Scope => ({ ...scope, mode })) as [Scope, Scope];
    const origins = [PORTAL, 'http://localhost:3000'];
    const [test_made, live_made] = [await insertSentReservation(test), await insertSentReservation(live)];
    expect((await updateProperty(test, test_made.property_id, { embed_origins: origins }, null)).embed_origins).toEqual(
      origins,
    );
    await expect(updateProperty(live, live_made.property_id, { embed_origins: origins }, null)).rejects.toMatchObject({
      code: 'invalid_field',
      param: 'embed_origins[1]',
    });
  });

  it('is recorded in the audit log whenever it changes, and only then', async () => {
    const { property_id } = await insertLink([PORTAL]);
    await updateProperty(scope, property_id, { embed_origins: [PORTAL], name: 'Other name' }, null);
    await updateProperty(scope, property_id, { embed_origins: [] }, null);
    const rows = await systemDb().auditLog.findMany({
      where: { object_id: property_id, action: 'property.embedding_changed' },
      orderBy: { created_at: 'asc' },
    });
    expect(rows.map(({ data }) => data)).toEqual([{ origins: [PORTAL] }, { origins: [] }]);
  });
});
