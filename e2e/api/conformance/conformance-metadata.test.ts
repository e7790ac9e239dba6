/** Tests `metadata` of properties and reservations (beta): a partner's own keys and values. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ApiCaller,
  type ApiTestContext,
  buildReservationInput,
  createApiCaller,
  createScopeForTestTeam,
  expectHttpStatus,
  makeApiKey,
  makeProperty,
  makeReservation,
  makeUniqueText,
  openApiTestContext,
  type ResponseBody,
} from '../test-context';

let world: ApiTestContext;
let live: ApiCaller;
let property: ResponseBody;

beforeAll(async () => {
  world = await openApiTestContext();
  live = createApiCaller(world.api, world.team.live);
  property = await makeProperty(live);
});
afterAll(() => world.close());

const makeStay = (fields: object = {}) => makeReservation(live, world.clock, property.id, fields);
const keys = (count: number, prefix = 'key') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}_${index}`, 'value']));

describe.each([
  ['reservations', makeStay],
  ['properties', (fields: object = {}) => makeProperty(live, fields)],
] as const)('metadata of %s', (path, make) => {
  const patch = (id: string, metadata: unknown) => live.patch(`/${path}/${id}`, { metadata });

  it('defaults to {} and is always present', async () => {
    const { id, metadata } = await make();
    expect(metadata).toEqual({});
    expect(expectHttpStatus(await live.get(`/${path}/${id}`), 200).metadata).toEqual({});
    const listed = expectHttpStatus(await live.get(`/${path}?limit=1`), 200).data;
    expect(listed).toMatchObject([{ metadata: {} }]);
  });

  it('is returned exactly as given; null and empty values are dropped', async () => {
    const given = { unit: '4b', Note: ' two\nlines ', 'a.b[c]': '{"json": true}', 'schlüssel 🔑': '🏠' };
    const { id, metadata } = await make({ metadata: { ...given, none: null, empty: '' } });
    expect(metadata).toEqual(given);
    expect(expectHttpStatus(await live.get(`/${path}/${id}`), 200).metadata).toEqual(given);
  });

  it('PATCH sets the named keys, removes those with null or an empty text, and leaves the others', async () => {
    const { id } = await make({ metadata: { a: '1', b: '2', c: '3' } });
    const changed = expectHttpStatus(await patch(id, { a: null, b: '', d: '4' }), 200);
    expect(changed.metadata).toEqual({ c: '3', d: '4' });
    expect(expectHttpStatus(await patch(id, {}), 200)).toEqual(changed);
    expect(expectHttpStatus(await patch(id, { c: '3', gone: null }), 200)).toEqual(changed);
    expect(expectHttpStatus(await live.get(`/${path}/${id}`), 200)).toEqual(changed);
  });

  it('accepts the whole resource, as it was read, in a PATCH', async () => {
    const { id } = await make({ metadata: { a: '1' } });
    const read = expectHttpStatus(await live.get(`/${path}/${id}`), 200);
    expect(expectHttpStatus(await live.patch(`/${path}/${id}`, read), 200)).toEqual(read);
  });

  it('holds at most 50 keys, counted after the change', async () => {
    const { id, metadata } = await make({ metadata: keys(50) });
    expect(Object.keys(metadata)).toHaveLength(50);
    const refused = await patch(id, { one_more: 'x' });
    expect([refused.status, refused.body.error.code, refused.body.error.param]).toEqual([
      400,
      'invalid_field',
      'metadata',
    ]);
    expect(expectHttpStatus(await patch(id, { one_more: 'x', key_0: null }), 200).metadata).toHaveProperty('one_more');
    const { status } = await live.post(`/${path}`, { ...(await body(path)), metadata: keys(51) });
    expect(status).toBe(400);
  });

  it.each<[string, unknown, string]>([
    ['a key of 41 characters', { [`k${'x'.repeat(40)}`]: 'v' }, 'metadata'],
    ['an empty key', { '': 'v' }, 'metadata'],
    ['a value of 501 characters', { key: 'x'.repeat(501) }, 'metadata.key'],
    ['a number', { key: 1 }, 'metadata.key'],
    ['a nested object', { key: { of: 'x' } }, 'metadata.key'],
    ['a list', ['x'], 'metadata'],
    ['a text', 'x', 'metadata'],
    ['null', null, 'metadata'],
    ['text that cannot be stored', { key: 'a\u0000b' }, 'metadata.key'],
  ])('refuses %s', async (_name, metadata, param) => {
    const { id } = await make();
    for (const answer of [
      await live.post(`/${path}`, { ...(await body(path)), metadata }),
      await patch(id, metadata),
    ]) {
      const { error } = answer.body;
      expect([answer.status, error.code, error.param]).toEqual([400, 'invalid_field', param]);
    }
    const edge = { [`k${'x'.repeat(39)}`]: 'x'.repeat(500) };
    expect(expectHttpStatus(await patch(id, edge), 200).metadata).toEqual(edge);
  });

  it('50 keys of 40 characters with 500-character values of four-byte characters fit in one request', async () => {
    const most = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [String(index).padStart(40, 'é'), '🏠'.repeat(250)]),
    );
    expect((await make({ metadata: most })).metadata).toEqual(most);
  });

  it('changes the ETag, and the event reports its previous value', async () => {
    const { id } = await make({ metadata: { a: '1' } });
    const before = await live.get(`/${path}/${id}`);
    const after = expectHttpStatus(await patch(id, { b: '2' }), 200);
    expect((await live.get(`/${path}/${id}`)).headers.get('etag')).not.toBe(before.headers.get('etag'));
    const type = path === 'reservations' ? 'reservation.updated' : 'property.updated';
    const { data } = expectHttpStatus(await live.get(`/events?type=${type}&limit=1`), 200);
    expect(data).toMatchObject([{ type }]);
    expect(data[0].data).toEqual({ object: after, previous_attributes: { metadata: { a: '1' } } });
  });
});

async function body(path: 'reservations' | 'properties'): Promise<object> {
  if (path === 'properties') return { name: makeUniqueText('Casa ') };
  return buildReservationInput(world.clock, property.id);
}

describe('metadata of a reservation', () => {
  it('cannot be changed once the reservation is sent', async () => {
    const { id } = await makeStay({ metadata: { a: '1' } });
    expectHttpStatus(await live.post(`/reservations/${id}/send`), 200);
    const { status, body: answer } = await live.patch(`/reservations/${id}`, { metadata: { a: '2' } });
    expect([status, answer.error.code]).toEqual([409, 'reservation_not_editable']);
  });

  it('appears on no guest page and in no mail', async () => {
    const secret = makeUniqueText('never-shown-');
    const { id } = await makeStay({ metadata: { note: secret } });
    await live.patch(`/properties/${property.id}`, { metadata: { note: secret } });
    expectHttpStatus(await live.post(`/reservations/${id}/send`), 200);
    const { systemDb } = await import('@/infra/db/client');
    const { loadReservation } = await import('@/modules/reservations/save-transition');
    const { buildGuestPacketDisplay } = await import('@/modules/signing/display');
    const { decryptMailContent } = await import('@/modules/mail/content');
    const loaded = await loadReservation(createScopeForTestTeam(world.team, 'live'), id);
    expect(loaded.row.metadata).toEqual({ note: secret });
    expect(JSON.stringify(buildGuestPacketDisplay(loaded, 'en'))).not.toContain(secret);
    const mails = await systemDb().mailMessage.findMany({ where: { reservation_id: id } });
    expect(mails).toHaveLength(1);
    for (const mail of mails) expect(JSON.stringify(decryptMailContent(mail))).not.toContain(secret);
  });

  it('cannot be written by a read-only key', async () => {
    const { id } = await makeStay();
    const reader = createApiCaller(world.api, await makeApiKey(world.team.id, { scopes: ['reservations:read'] }));
    expect((await reader.patch(`/reservations/${id}`, { metadata: { a: '1' } })).status).toBe(403);
    expect(expectHttpStatus(await reader.get(`/reservations/${id}`), 200).metadata).toEqual({});
  });
});
