/**
 * Tests the specification's sections "Packet" and "Packet lifecycle" and its endpoint table
 * "Packets", row by row.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectFieldsToMatchTypes, PACKET_FIELD_TYPES } from '../fields';
import {
  type ApiCaller,
  type ApiTestContext,
  createApiCaller,
  expectHttpStatus,
  makeProperty,
  makeReservation,
  openApiTestContext,
  type ResponseBody,
  SECOND_MS,
  type TestResponse,
} from '../test-context';

let world: ApiTestContext;
let live: ApiCaller;
/** A property and its first packet. Every test gets new ones. */
let property: ResponseBody;
let main: ResponseBody;

beforeAll(async () => {
  world = await openApiTestContext();
  live = createApiCaller(world.api, world.team.live);
  const { systemDb } = await import('@/infra/db/client');
  await systemDb().team.updateMany({ data: { property_limit: 1_000 } });
});
afterAll(() => world.close());
beforeEach(async () => {
  property = await makeProperty(live);
  main = expectHttpStatus(await live.get(`/properties/${property.id}/packet`), 200);
});

async function variant(name = 'Variant', fields: object = {}): Promise<ResponseBody> {
  world.clock.advance(SECOND_MS);
  return expectHttpStatus(await live.post(`/properties/${property.id}/packets`, { name, ...fields }), 201);
}
const get = async (id: string): Promise<ResponseBody> => expectHttpStatus(await live.get(`/packets/${id}`), 200);

function expectError(answer: TestResponse, status: number, code: string, param: string | null = null) {
  expect({ status: answer.status, code: answer.body?.error?.code, param: answer.body?.error?.param }).toEqual({
    status,
    code,
    param,
  });
}

describe('Packet', () => {
  it('uses the currency of the property’s time zone, also for further packets', async () => {
    for (const [timezone, currency] of [
      ['Europe/Lisbon', 'EUR'],
      ['Asia/Tokyo', 'JPY'],
      [null, 'USD'],
    ]) {
      const { id } = await makeProperty(live, { timezone });
      const packet = expectHttpStatus(await live.get(`/properties/${id}/packet`), 200);
      const further = expectHttpStatus(await live.post(`/properties/${id}/packets`, { name: 'Winter' }), 201);
      expect([timezone, packet.currency, further.currency]).toEqual([timezone, currency, currency]);
    }
  });

  it('has every field of its table; a new property has a default packet', async () => {
    expectFieldsToMatchTypes(main, PACKET_FIELD_TYPES);
    expect(main.id).toMatch(/^pkt_[A-Za-z0-9_-]{8,}$/);
    expect(main).toMatchObject({
      object: 'packet',
      property_id: property.id,
      is_default: true,
      status: 'active',
      archived_at: null,
      welcome_message: null,
      rules: [],
      fees: [],
      safety_notes: null,
      arrival_details: { wifi: null, door_code: null, checkin_notes: null, parking_notes: null },
      arrival_release: {
        wifi: 'before_signing',
        door_code: 'before_signing',
        checkin_notes: 'before_signing',
        parking_notes: 'before_signing',
      },
    });
  });
});

describe('GET /properties/{id}/packets', () => {
  it('lists the active variants first, then the archived ones', async () => {
    const [one, two, three] = [await variant('One'), await variant('Two'), await variant('Three')];
    await live.post(`/packets/${one.id}/archive`);
    const list = expectHttpStatus(await live.get(`/properties/${property.id}/packets`), 200);
    expect(list).toMatchObject({ object: 'list', has_more: false, url: `/v1/properties/${property.id}/packets` });
    expect(list.data.map((packet: ResponseBody) => packet.id)).toEqual([main.id, two.id, three.id, one.id]);
    expectError(await live.get('/properties/prop_nothing00/packets'), 404, 'resource_missing');
  });
});

describe('POST /properties/{id}/packets', () => {
  it('name (string, required, display name)', async () => {
    const path = `/properties/${property.id}/packets`;
    const made = await live.post(path, { name: ' Winter ' });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'Winter', is_default: false, status: 'active', property_id: property.id });
    expectError(await live.post(path, {}), 400, 'missing_required_field', 'name');
    expectError(await live.post(path, { name: '  ' }), 400, 'missing_required_field', 'name');
    expectError(await live.post(path, { name: 'x'.repeat(121) }), 400, 'invalid_field', 'name');
    expectError(await live.post(path, { name: 'A', title: 'B' }), 400, 'unknown_field', 'title');
    expectError(await live.post('/properties/prop_nothing00/packets', { name: 'A' }), 404, 'resource_missing');
  });

  it('copy_from (string, optional packet id to clone content from)', async () => {
    await live.patch(`/packets/${main.id}`, {
      welcome_message: 'Welcome.',
      rules: [{ text: 'No parties.' }],
      fees: [{ label: 'Pet fee', amount_cents: 5000 }],
      arrival_details: { door_code: '1234' },
      arrival_release: { door_code: 'after_signing' },
      safety_notes: 'Gas valve behind the door.',
    });
    const source = await get(main.id);
    const copy = await variant('Copy', { copy_from: main.id });
    for (const field of ['welcome_message', 'arrival_details', 'arrival_release', 'safety_notes', 'currency']) {
      expect(copy[field]).toEqual(source[field]);
    }
    expect(copy.rules.map((rule: ResponseBody) => rule.text)).toEqual(['No parties.']);
    expect(copy.fees.map((fee: ResponseBody) => fee.type)).toEqual(['conditional_pet']);
    expect(copy).toMatchObject({ name: 'Copy', is_default: false });
    await live.patch(`/packets/${copy.id}`, { welcome_message: 'Changed.' });
    expect(await get(main.id)).toEqual(source);
  });

  it('copy_from accepts a packet of the team’s other properties; an unknown id is a 404 with param copy_from', async () => {
    const elsewhere = await makeProperty(live);
    const packet = (await live.get(`/properties/${elsewhere.id}/packet`)).body;
    expect((await live.post(`/properties/${property.id}/packets`, { name: 'A', copy_from: packet.id })).status).toBe(
      201,
    );
    for (const copy_from of ['pkt_nothing00', property.id]) {
      const answer = await live.post(`/properties/${property.id}/packets`, { name: 'A', copy_from });
      expectError(answer, 404, 'resource_missing', 'copy_from');
    }
  });

  it('402 beyond 5 active packets per property or the add-on’s limit; archived packets do not count', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const made = [await variant(), await variant(), await variant(), await variant()];
    const path = `/properties/${property.id}/packets`;
    const refused = await live.post(path, { name: 'Sixth' });
    expectError(refused, 402, 'packet_limit_reached');
    expect(refused.body.error.type).toBe('plan_limit_error');
    await live.post(`/packets/${made[0].id}/archive`);
    expect((await live.post(path, { name: 'Sixth' })).status).toBe(201);
    expectError(await live.post(`/packets/${made[0].id}/restore`), 402, 'packet_limit_reached');
    await systemDb().team.update({ where: { id: world.team.id }, data: { packet_limit: 6 } });
    expect((await live.post(`/packets/${made[0].id}/restore`)).status).toBe(200);
    await systemDb().team.update({ where: { id: world.team.id }, data: { packet_limit: null } });
  });
});

describe.each(['/packets/{id}', '/properties/{id}/packet'])('PATCH %s', (pattern) => {
  const path = () => (pattern.startsWith('/packets') ? `/packets/${main.id}` : `/properties/${property.id}/packet`);
  const patch = async (body: object): Promise<ResponseBody> => expectHttpStatus(await live.patch(path(), body), 200);

  it('renames or edits content; absent fields stay unchanged', async () => {
    const before = await patch({ welcome_message: 'Hello.', rules: [{ text: 'Quiet after ten.' }] });
    world.clock.advance(SECOND_MS);
    const after = await patch({ name: 'Renamed' });
    expect(after).toEqual({ ...before, name: 'Renamed', updated_at: after.updated_at });
    expect(after.updated_at > before.updated_at).toBe(true);
    expect((await patch({ welcome_message: null })).welcome_message).toBeNull();
  });

  it('replaces the whole rules array: a client appends by GET, add, PATCH', async () => {
    const first = await patch({ rules: [{ text: 'One', category: 'House' }, { text: 'Two' }] });
    expect(first.rules).toEqual([
      { id: expect.any(String), text: 'One', category: 'House' },
      { id: expect.any(String), text: 'Two', category: null },
    ]);
    const appended = await patch({ rules: [...first.rules, { text: 'Three' }] });
    expect(appended.rules.slice(0, 2)).toEqual(first.rules);
    expect(appended.rules[2].text).toBe('Three');
    const replaced = await patch({ rules: [{ id: 'mine', text: 'Only' }] });
    expect(replaced.rules).toEqual([{ id: 'mine', text: 'Only', category: null }]);
    expect((await patch({ rules: [] })).rules).toEqual([]);
  });

  it('replaces the whole fees array; an absent type is classified from the label, a valid one is kept', async () => {
    const { fees } = await patch({
      fees: [
        { label: 'Final cleaning', amount_cents: 0 },
        { label: 'Pet fee', amount_cents: 5000, unit: 'per pet', description: 'Dogs only.' },
        { label: 'Deposit', amount_cents: 20000, type: 'conditional_damage' },
        { label: 'Xyzzy', amount_cents: 1 },
      ],
    });
    expect(fees.map((fee: ResponseBody) => fee.type)).toEqual([
      'mandatory_cleaning',
      'conditional_pet',
      'conditional_damage',
      null,
    ]);
    expect(fees[1]).toEqual({
      id: expect.any(String),
      label: 'Pet fee',
      amount_cents: 5000,
      unit: 'per pet',
      description: 'Dogs only.',
      type: 'conditional_pet',
    });
    expect((await patch({ fees })).fees).toEqual(fees);
    expect((await patch({ fees: [fees[1]] })).fees).toEqual([fees[1]]);
  });

  it.each<[string, object, object, string]>([
    [
      'rules[].text | max 500',
      { rules: [{ text: 'x'.repeat(500) }] },
      { rules: [{ text: 'x'.repeat(501) }] },
      'rules[0].text',
    ],
    [
      'fees[].label | max 120',
      { fees: [{ label: 'x'.repeat(120), amount_cents: 1 }] },
      { fees: [{ label: 'x'.repeat(121), amount_cents: 1 }] },
      'fees[0].label',
    ],
    [
      'fees[].amount_cents | integer, minimum 0',
      { fees: [{ label: 'A', amount_cents: 0 }] },
      { fees: [{ label: 'A', amount_cents: -1 }] },
      'fees[0].amount_cents',
    ],
    [
      'fees[].amount_cents | no fractions',
      { fees: [{ label: 'A', amount_cents: 199 }] },
      { fees: [{ label: 'A', amount_cents: 1.99 }] },
      'fees[0].amount_cents',
    ],
    [
      'fees[].amount_cents | no text',
      { fees: [{ label: 'A', amount_cents: 5 }] },
      {
        fees: [
          { label: 'B', amount_cents: 5 },
          { label: 'A', amount_cents: '5' },
        ],
      },
      'fees[1].amount_cents',
    ],
    [
      'fees[].description | max 500',
      { fees: [{ label: 'A', amount_cents: 1, description: 'x'.repeat(500) }] },
      { fees: [{ label: 'A', amount_cents: 1, description: 'x'.repeat(501) }] },
      'fees[0].description',
    ],
    [
      'fees[].type | a known class',
      { fees: [{ label: 'A', amount_cents: 1, type: 'mandatory_tax' }] },
      { fees: [{ label: 'A', amount_cents: 1, type: 'optional_tax' }] },
      'fees[0].type',
    ],
    [
      'welcome_message | 5,000 characters',
      { welcome_message: 'x'.repeat(5000) },
      { welcome_message: 'x'.repeat(5001) },
      'welcome_message',
    ],
    [
      'arrival_release | a known value',
      { arrival_release: { wifi: 'manual' } },
      { arrival_release: { wifi: 'never' } },
      'arrival_release.wifi',
    ],
    [
      'rules[].id | distinct',
      {
        rules: [
          { id: 'a', text: 'A' },
          { id: 'b', text: 'B' },
        ],
      },
      {
        rules: [
          { id: 'a', text: 'A' },
          { id: 'a', text: 'B' },
        ],
      },
      'rules[1].id',
    ],
  ])('%s', async (_row, taken, refused, param) => {
    await patch(taken);
    const before = await get(main.id);
    expectError(await live.patch(path(), refused), 400, 'invalid_field', param);
    expect(await get(main.id)).toEqual(before);
  });

  it('accepts at most 200 rules and 100 fees', async () => {
    const rules = (count: number) => Array.from({ length: count }, (_, index) => ({ text: `Rule ${index}` }));
    const fees = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ label: `Fee ${index}`, amount_cents: 1 }));
    expect((await patch({ rules: rules(200), fees: fees(100) })).rules).toHaveLength(200);
    expectError(await live.patch(path(), { rules: rules(201) }), 400, 'too_many_items', 'rules');
    expectError(await live.patch(path(), { fees: fees(101) }), 400, 'too_many_items', 'fees');
  });

  it('names a missing or unknown field by its dotted path', async () => {
    expectError(
      await live.patch(path(), { rules: [{ text: 'A' }, {}] }),
      400,
      'missing_required_field',
      'rules[1].text',
    );
    expectError(
      await live.patch(path(), { fees: [{ label: 'A' }] }),
      400,
      'missing_required_field',
      'fees[0].amount_cents',
    );
    expectError(
      await live.patch(path(), { fees: [{ label: 'A', amount_cents: 1, price: 2 }] }),
      400,
      'unknown_field',
      'fees[0].price',
    );
    expectError(
      await live.patch(path(), { arrival_details: { gate: 'x' } }),
      400,
      'unknown_field',
      'arrival_details.gate',
    );
    expectError(await live.patch(path(), { rules: 'none' }), 400, 'invalid_field', 'rules');
  });

  it('changes only the arrival_release groups that are named', async () => {
    await patch({ arrival_release: { wifi: 'after_signing', door_code: 'after_signing' } });
    const { arrival_release } = await patch({ arrival_release: { wifi: 'before_signing', parking_notes: 'manual' } });
    expect(arrival_release).toEqual({
      wifi: 'before_signing',
      door_code: 'after_signing',
      checkin_notes: 'before_signing',
      parking_notes: 'manual',
    });
  });

  it('merges arrival_details by group; null or empty text clears a group', async () => {
    await patch({ arrival_details: { wifi: { network: 'loft', password: 'secret' }, door_code: '1234' } });
    const { arrival_details } = await patch({ arrival_details: { door_code: '  ', checkin_notes: 'Ring twice.' } });
    expect(arrival_details).toEqual({
      wifi: { network: 'loft', password: 'secret' },
      door_code: null,
      checkin_notes: 'Ring twice.',
      parking_notes: null,
    });
    expect((await patch({ arrival_details: { wifi: null } })).arrival_details.wifi).toBeNull();
  });

  it('accepts the packet as it was read, and changes nothing', async () => {
    const before = await patch({
      rules: [{ text: 'A' }],
      fees: [{ label: 'Tax', amount_cents: 3 }],
      arrival_details: { door_code: '1' },
    });
    world.clock.advance(SECOND_MS);
    expect(await patch(before)).toEqual(before);
  });

  it('404 for an unknown id', async () => {
    expectError(await live.patch('/packets/pkt_nothing00', { name: 'A' }), 404, 'resource_missing');
    expectError(await live.patch('/properties/prop_nothing00/packet', { name: 'A' }), 404, 'resource_missing');
    expectError(await live.get('/properties/prop_nothing00/packet'), 404, 'resource_missing');
    expectError(await live.get('/packets/pkt_nothing00'), 404, 'resource_missing');
  });
});

describe('PUT /properties/{id}/packet', () => {
  it('replaces the packet: absent fields become empty, but the name stays', async () => {
    const path = `/properties/${property.id}/packet`;
    await live.patch(path, {
      name: 'Kept',
      welcome_message: 'Gone.',
      rules: [{ text: 'Gone' }],
      fees: [{ label: 'Gone', amount_cents: 1 }],
      safety_notes: 'Gone.',
      arrival_details: { door_code: '1' },
      arrival_release: { door_code: 'manual' },
    });
    const put = expectHttpStatus(await live.put(path, { rules: [{ text: 'New' }] }), 200);
    expect(put).toMatchObject({
      id: main.id,
      name: 'Kept',
      is_default: true,
      welcome_message: null,
      fees: [],
      safety_notes: null,
      arrival_details: { wifi: null, door_code: null, checkin_notes: null, parking_notes: null },
      arrival_release: { wifi: 'before_signing', door_code: 'before_signing' },
    });
    expect(put.rules.map((rule: ResponseBody) => rule.text)).toEqual(['New']);
    expect(expectHttpStatus(await live.put(path, {}), 200).rules).toEqual([]);
    const whole = (await live.get(path)).body;
    expect((await live.put(path, whole)).body).toEqual(whole);
    expectError(await live.put(path, { rules: [{}] }), 400, 'missing_required_field', 'rules[0].text');
    expectError(await live.put('/properties/prop_nothing00/packet', {}), 404, 'resource_missing');
  });
});

describe('Packet lifecycle', () => {
  it('archive makes an active packet that is not the default archived', async () => {
    const { id } = await variant();
    const archived = expectHttpStatus(await live.post(`/packets/${id}/archive`), 200);
    expect(archived).toMatchObject({ status: 'archived', archived_at: expect.any(String) });
    world.clock.advance(SECOND_MS);
    expect(expectHttpStatus(await live.post(`/packets/${id}/archive`), 200)).toEqual(archived);
    expectError(await live.patch(`/packets/${id}`, { name: 'A' }), 409, 'packet_archived');
    expectError(await live.post(`/packets/${id}/set-default`), 409, 'packet_archived');
  });

  it('archive of the active default is refused with 409 and changes nothing', async () => {
    expectError(await live.post(`/packets/${main.id}/archive`), 409, 'last_packet');
    await variant();
    expectError(await live.post(`/packets/${main.id}/archive`), 409, 'default_packet');
    expect((await get(main.id)).status).toBe('active');
  });

  it('restore makes an archived packet active', async () => {
    const { id } = await variant();
    await live.post(`/packets/${id}/archive`);
    const restored = expectHttpStatus(await live.post(`/packets/${id}/restore`), 200);
    expect(restored).toMatchObject({ status: 'active', archived_at: null, is_default: false });
    expect(expectHttpStatus(await live.post(`/packets/${id}/restore`), 200)).toEqual(restored);
  });

  it('set-default makes an active packet the only default', async () => {
    const { id } = await variant();
    expect(expectHttpStatus(await live.post(`/packets/${id}/set-default`), 200).is_default).toBe(true);
    expect((await get(main.id)).is_default).toBe(false);
    expect((await live.get(`/properties/${property.id}/packet`)).body.id).toBe(id);
    expect((await live.post(`/packets/${id}/set-default`)).status).toBe(200);
    expect((await live.post(`/packets/${main.id}/archive`)).status).toBe(200);
  });

  it.each(['set-default', 'archive', 'restore'])('%s of an unknown packet: 404', async (verb) => {
    expectError(await live.post(`/packets/pkt_nothing00/${verb}`), 404, 'resource_missing');
  });
});

describe('DELETE /packets/{id}', () => {
  it('204 without a body', async () => {
    const { id } = await variant();
    const answer = await live.del(`/packets/${id}`);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 204, text: '' });
    expectError(await live.get(`/packets/${id}`), 404, 'resource_missing');
    expectError(await live.del(`/packets/${id}`), 404, 'resource_missing');
  });

  it('409 packet_in_use: a reservation references it', async () => {
    const { id } = await variant();
    const reservation = await makeReservation(live, world.clock, property.id, { packet_id: id });
    expectError(await live.del(`/packets/${id}`), 409, 'packet_in_use');
    await live.patch(`/reservations/${reservation.id}`, { packet_id: null });
    expect((await live.del(`/packets/${id}`)).status).toBe(204);
  });

  it('409 default_packet: the active default while other active variants exist', async () => {
    const { id } = await variant();
    expectError(await live.del(`/packets/${main.id}`), 409, 'default_packet');
    await live.post(`/packets/${id}/set-default`);
    expect((await live.del(`/packets/${main.id}`)).status).toBe(204);
  });

  it('409 last_packet: the only active packet', async () => {
    const { id } = await variant();
    await live.post(`/packets/${id}/archive`);
    expectError(await live.del(`/packets/${main.id}`), 409, 'last_packet');
    expect((await live.del(`/packets/${id}`)).status).toBe(204);
  });

  it('a reservation accepts only an active packet of its own property', async () => {
    const { id } = await variant();
    const elsewhere = await makeProperty(live);
    const answer = await live.post('/reservations', {
      property_id: elsewhere.id,
      guest_name: 'Ada',
      guest_email: 'ada@example.com',
      checkin_date: '2030-01-01',
      checkout_date: '2030-01-02',
      packet_id: id,
    });
    expectError(answer, 404, 'resource_missing', 'packet_id');
    await live.post(`/packets/${id}/archive`);
    const reservation = await makeReservation(live, world.clock, property.id);
    expectError(
      await live.patch(`/reservations/${reservation.id}`, { packet_id: id }),
      409,
      'packet_archived',
      'packet_id',
    );
  });
});
