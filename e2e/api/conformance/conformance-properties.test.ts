/**
 * Tests the specification's sections "Property", "PropertyCreate" and "PropertyUpdate" and its
 * endpoint table "Properties", row by row.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { expectFieldsToMatchTypes, PROPERTY_FIELD_TYPES } from '../fields';
import {
  type ApiCaller,
  type ApiTestContext,
  createApiCaller,
  createScopeForTestTeam,
  expectHttpStatus,
  getIsoDateDaysFromNow,
  makeProperty,
  makeReservation,
  makeSignedReservation,
  makeUniqueText,
  openApiTestContext,
  SECOND_MS,
  updateReservationRow,
  updateSignatureRow,
} from '../test-context';

let world: ApiTestContext;
let live: ApiCaller;

beforeAll(async () => {
  world = await openApiTestContext();
  live = createApiCaller(world.api, world.team.live);
  const { systemDb } = await import('@/infra/db/client');
  await systemDb().team.updateMany({ data: { property_limit: 1_000 } });
});
afterAll(() => world.close());

async function expectRefused(method: 'post' | 'patch', path: string, body: object, code: string, param: string | null) {
  const answer = await live[method](path, body);
  expect({ status: answer.status, code: answer.body.error.code, param: answer.body.error.param }).toEqual({
    status: 400,
    code,
    param,
  });
}

describe('Property', () => {
  it('has every field of its table, null when unknown', async () => {
    const property = await makeProperty(live);
    expectFieldsToMatchTypes(property, PROPERTY_FIELD_TYPES);
    expect(property.id).toMatch(/^prop_[A-Za-z0-9_-]{8,}$/);
    expect(property.object).toBe('property');
    for (const field of ['address', 'brand_color', 'logo_url', 'subdomain', 'custom_domain', 'timezone']) {
      expect(property[field]).toBeNull();
    }
  });
});

describe('PropertyCreate', () => {
  const full = () => ({
    name: 'Harbour Loft',
    address: 'Rua da Praia 12, Cascais',
    brand_color: '#0F766e',
    logo_url: 'https://example.com/logo.png',
    subdomain: makeUniqueText('loft-'),
    custom_domain: `${makeUniqueText('rules')}.example.com`,
    auto_send_packet: true,
    auto_send_offset_hours: 72,
    auto_reminders: true,
    lat: 38.6979,
    lng: -9.4215,
    city: 'Cascais',
  });

  it('POST /properties returns 201 and stores every field', async () => {
    const input = full();
    const answer = await live.post('/properties', input);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject(input);
    expect(expectHttpStatus(await live.get(`/properties/${answer.body.id}`), 200)).toEqual(answer.body);
  });

  it('auto_send_packet and auto_reminders default to false', async () => {
    expect(await makeProperty(live)).toMatchObject({ auto_send_packet: false, auto_reminders: false });
  });

  it('name | string | required, max 120 chars', async () => {
    expect((await live.post('/properties', { name: 'x'.repeat(120) })).status).toBe(201);
    await expectRefused('post', '/properties', { name: 'x'.repeat(121) }, 'invalid_field', 'name');
    await expectRefused('post', '/properties', {}, 'missing_required_field', 'name');
    await expectRefused('post', '/properties', { name: null }, 'missing_required_field', 'name');
    await expectRefused('post', '/properties', { name: '   ' }, 'missing_required_field', 'name');
    await expectRefused('post', '/properties', { name: 7 }, 'invalid_field', 'name');
    expect((await live.post('/properties', { name: '  Trimmed ' })).body.name).toBe('Trimmed');
  });

  // Each row has a field, valid values at the limit, and invalid values beyond it.
  it.each<[string, unknown[], unknown[]]>([
    ['address | string or null | max 240', ['x'.repeat(240), null], ['x'.repeat(241), 5]],
    [
      'brand_color | string or null | pattern ^#[0-9a-fA-F]{6}$',
      ['#abcDEF', null],
      ['abcdef', '#abcde', '#abcdeg', '#abcdef0'],
    ],
    ['logo_url | string or null | URI', ['https://example.com/a.png', null], ['logo.png', 'javascript:alert(1)', '']],
    ['auto_send_packet | boolean | default false', [true, false], ['true', 1, 0, 'false']],
    ['auto_send_offset_hours | integer or null | 1 to 336', [1, 336, null], [0, 337, 1.5, '24', -1]],
    ['auto_reminders | boolean | default false', [true, false], ['false', 0]],
    ['lat | number or null |', [-90, 90, 0, 38.5, null], [90.1, -91, '38']],
    ['lng | number or null |', [-180, 180, null], [180.5, '9']],
    ['city | string or null | max 80', ['x'.repeat(80), null], ['x'.repeat(81)]],
  ])('%s', async (row, taken, refused) => {
    const field = row.split(' ')[0] ?? '';
    for (const value of taken) {
      const answer = await live.post('/properties', { name: 'Edge', [field]: value });
      expect(answer.body[field], answer.text).toBe(value);
      expect((await live.patch(`/properties/${answer.body.id}`, { [field]: value })).status).toBe(200);
    }
    const { id } = await makeProperty(live);
    for (const value of refused) {
      await expectRefused('post', '/properties', { name: 'Edge', [field]: value }, 'invalid_field', field);
      await expectRefused('patch', `/properties/${id}`, { [field]: value }, 'invalid_field', field);
    }
  });

  it('subdomain | string or null | pattern ^[a-z][a-z0-9-]{2,29}$', async () => {
    for (const subdomain of ['abc', `a${'b'.repeat(29)}`, 'a-1']) {
      expect((await live.post('/properties', { name: 'S', subdomain })).body.subdomain).toBe(subdomain);
    }
    for (const subdomain of ['ab', `a${'b'.repeat(30)}`, '1ab', 'Abc', 'a_b', 'a.b', '-abc', '']) {
      await expectRefused('post', '/properties', { name: 'S', subdomain }, 'invalid_field', 'subdomain');
    }
  });

  it('custom_domain | string or null: a host name', async () => {
    for (const custom_domain of ['not a host', 'https://x.example.com', 'localhost', '10.0.0.1']) {
      await expectRefused('post', '/properties', { name: 'D', custom_domain }, 'invalid_field', 'custom_domain');
    }
  });

  it.each(['www', 'api', 'app', 'admin', 'mail', 'localhost', 'smtp', 'ns1', 'status', 'docs', 'static', 'www02'])(
    'the subdomain %s is reserved for the operator in both modes, on create and update',
    async (subdomain) => {
      await expectRefused('post', '/properties', { name: 'S', subdomain }, 'invalid_field', 'subdomain');
      const test = createApiCaller(world.api, world.team.test);
      const own = await makeProperty(test);
      for (const answer of [
        await test.post('/properties', { name: 'S', subdomain }),
        await test.patch(`/properties/${own.id}`, { subdomain }),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.body.error).toMatchObject({ code: 'invalid_field', param: 'subdomain' });
      }
    },
  );

  /** Marks the domain as verified, as if its TXT record had been found. */
  const prove = (id: string) =>
    systemDb().property.update({ where: { id }, data: { custom_domain_verified_at: world.clock.now() } });

  it('a test-mode property does not block a live one’s host names, and cannot take those a live one has', async () => {
    const [subdomain, custom_domain] = [makeUniqueText('claimed-'), `${makeUniqueText('claimed')}.example.com`];
    const test = createApiCaller(world.api, (await world.api.createTeam()).test);
    const claimed = await makeProperty(test, { subdomain, custom_domain });
    expect(claimed).toMatchObject({ subdomain, custom_domain });
    const another = createApiCaller(world.api, (await world.api.createTeam()).test);
    expect((await another.post('/properties', { name: 'Two', subdomain })).body.error.code).toBe('subdomain_taken');
    const real = await makeProperty(live, { subdomain, custom_domain });
    expect(real).toMatchObject({ subdomain, custom_domain });
    await prove(real.id);
    // A property may set its current names again. After it has removed them, it cannot claim them
    // while another property has them.
    expect((await test.patch(`/properties/${claimed.id}`, { subdomain, city: 'Faro' })).status).toBe(200);
    await test.patch(`/properties/${claimed.id}`, { subdomain: null, custom_domain: null });
    for (const [names, code] of [
      [{ subdomain }, 'subdomain_taken'],
      [{ custom_domain }, 'custom_domain_taken'],
    ] as const)
      expect((await test.patch(`/properties/${claimed.id}`, names)).body.error.code).toBe(code);
  });

  it.each([
    ...['https://*/logo.png', 'https://*.example.com/logo.png', 'https://a.*.example/l.png', "https://'self'/l.png"],
    ...[
      'https://a.example;script-src/l.png',
      'https://a.example,b.example/l.png',
      'https://"a"/l.png',
      'https://a b/l.png',
    ],
    ...['javascript:alert(1)', 'data:image/png;base64,AAAA', '//a.example/l.png'],
    ...['http://cdn.example.com/l.png', 'https://user:pass@cdn.example.com/l.png'],
    ...['https://[2001:db8::1]/l.png', 'https://192.168.1.1/l.png', 'https://intranet/l.png'],
  ])('rejects the logo_url %s', async (logo_url) => {
    await expectRefused('post', '/properties', { name: 'S', logo_url }, 'invalid_field', 'logo_url');
  });

  it.each(['https://cdn.example.com:8443/a;b,c*d.png'])('accepts the logo_url %s', async (logo_url) =>
    expect((await live.post('/properties', { name: 'S', logo_url })).status).toBe(201),
  );

  it('409 on a subdomain or custom domain that any team already has, and nothing is created', async () => {
    const [subdomain, custom_domain] = [makeUniqueText('taken-'), `${makeUniqueText('taken')}.example.com`];
    const first = await makeProperty(live, { subdomain, custom_domain });
    // Anyone may claim a domain. Only a verified domain is exclusive.
    expect((await makeProperty(live, { custom_domain })).custom_domain).toBe(custom_domain);
    await prove(first.id);
    const stranger = createApiCaller(world.api, (await world.api.createTeam()).test);
    for (const caller of [live, stranger]) {
      const by_name = await caller.post('/properties', { name: 'Two', subdomain });
      expect(by_name.status).toBe(409);
      expect(by_name.body.error).toMatchObject({ type: 'conflict_error', code: 'subdomain_taken', param: 'subdomain' });
      const by_domain = await caller.post('/properties', { name: 'Two', custom_domain });
      expect(by_domain.body.error).toMatchObject({ code: 'custom_domain_taken', param: 'custom_domain' });
    }
    expect((await stranger.get('/properties')).body.data).toEqual([]);
  });

  it('rejects unknown fields, and accepts the property as it was read in an update', async () => {
    await expectRefused('post', '/properties', { name: 'A', colour: 'red' }, 'unknown_field', 'colour');
    const given = await makeProperty(live);
    await expectRefused(
      'post',
      '/properties',
      { name: 'A', created_at: given.created_at },
      'unknown_field',
      'created_at',
    );
    expect((await live.patch(`/properties/${given.id}`, given)).body).toEqual(given);
  });
});

describe('PropertyUpdate', () => {
  it('PATCH /properties/{id} updates only the fields present, and applies no defaults', async () => {
    const made = await makeProperty(live, { address: 'Here', auto_reminders: true, auto_send_packet: true, lat: 1 });
    world.clock.advance(SECOND_MS);
    const changed = expectHttpStatus(await live.patch(`/properties/${made.id}`, { city: 'Cascais' }), 200);
    expect(changed).toEqual({ ...made, city: 'Cascais', updated_at: changed.updated_at });
    expect(changed.updated_at > made.updated_at).toBe(true);
    const cleared = expectHttpStatus(await live.patch(`/properties/${made.id}`, { address: null, city: null }), 200);
    expect(cleared).toMatchObject({ address: null, city: null, auto_reminders: true });
  });

  it('an update that changes nothing leaves updated_at and records no event', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const made = await makeProperty(live);
    const count = () => systemDb().event.count({ where: { object_id: made.id } });
    const before = await count();
    world.clock.advance(SECOND_MS);
    expect((await live.patch(`/properties/${made.id}`, { name: made.name })).body).toEqual(made);
    expect((await live.patch(`/properties/${made.id}`, {})).body).toEqual(made);
    expect(await count()).toBe(before);
  });

  it('409 when another property has the subdomain; its own subdomain causes no conflict', async () => {
    const [first, second] = [await makeProperty(live, { subdomain: makeUniqueText('own-') }), await makeProperty(live)];
    const taken = await live.patch(`/properties/${second.id}`, { subdomain: first.subdomain });
    expect(taken.body.error).toMatchObject({ code: 'subdomain_taken', param: 'subdomain' });
    expect((await live.patch(`/properties/${first.id}`, { subdomain: first.subdomain })).status).toBe(200);
  });

  it('404 for an unknown id', async () => {
    expect((await live.patch('/properties/prop_nothing00', { name: 'A' })).body.error.code).toBe('resource_missing');
    expect((await live.get('/properties/prop_nothing00')).status).toBe(404);
    expect((await live.del('/properties/prop_nothing00')).status).toBe(404);
  });
});

describe('GET /properties', () => {
  it('GET /properties?subdomain= returns the one property with that subdomain', async () => {
    const subdomain = makeUniqueText('only-');
    const property = await makeProperty(live, { subdomain });
    const found = expectHttpStatus(await live.get(`/properties?subdomain=${subdomain}`), 200);
    expect(found).toEqual({ object: 'list', data: [property], has_more: false, url: '/v1/properties' });
    expect((await live.get('/properties?subdomain=nobody-has-this')).body.data).toEqual([]);
  });
});

describe('DELETE /properties/{id}', () => {
  it('200, and also deletes its packets, reservations and calendars', async () => {
    const property = await makeProperty(live);
    const draft = await makeReservation(live, world.clock, property.id);
    const packet = (await live.get(`/properties/${property.id}/packet`)).body;
    expect((await live.del(`/properties/${property.id}`)).status).toBe(200);
    for (const path of [`/properties/${property.id}`, `/reservations/${draft.id}`, `/packets/${packet.id}`]) {
      expect((await live.get(path)).status).toBe(404);
    }
    expect((await live.del(`/properties/${property.id}`)).status).toBe(404);
  });

  it.each(['synced', 'sent', 'opened', 'clicked'])(
    '409 when a reservation is active and force is not true: %s',
    async (status) => {
      const property = await makeProperty(live);
      const { id } = await makeReservation(live, world.clock, property.id);
      await updateReservationRow(id, { status });
      for (const query of ['', '?force=false']) {
        const refused = await live.del(`/properties/${property.id}${query}`);
        expect(refused.body.error).toMatchObject({ type: 'conflict_error', code: 'active_reservations' });
      }
      expect((await live.get(`/reservations/${id}`)).status).toBe(200);
      expect((await live.del(`/properties/${property.id}?force=true`)).status).toBe(200);
      expect((await live.get(`/reservations/${id}`)).status).toBe(404);
    },
  );

  it.each(['draft', 'signed', 'expired', 'ignored'])(
    'a reservation in status %s does not prevent the deletion',
    async (status) => {
      const property = await makeProperty(live);
      const { id } = await makeReservation(live, world.clock, property.id);
      await updateReservationRow(id, { status });
      expect((await live.del(`/properties/${property.id}`)).status).toBe(200);
    },
  );

  it('a stay that is over in the property’s time zone does not prevent the deletion', async () => {
    const property = await makeProperty(live, { timezone: 'Pacific/Kiritimati' });
    const { id } = await makeReservation(live, world.clock, property.id);
    await updateReservationRow(id, {
      status: 'sent',
      checkin_date: new Date(getIsoDateDaysFromNow(world.clock, -5)),
      checkout_date: new Date(getIsoDateDaysFromNow(world.clock, -2)),
    });
    expect((await live.del(`/properties/${property.id}`)).status).toBe(200);
  });

  it('force is a boolean that defaults to false; any other value is rejected', async () => {
    const property = await makeProperty(live);
    for (const force of ['yes', '1', 'TRUE', '']) {
      const answer = await live.del(`/properties/${property.id}?force=${force}`);
      expect(answer.body.error).toMatchObject({ code: 'invalid_field', param: 'force' });
    }
  });

  it('a legal hold prevents the deletion even with force; without a hold certificates survive it', async () => {
    const property = await makeProperty(live);
    const scope = createScopeForTestTeam(world.team, 'live');
    const { signature_id } = await makeSignedReservation(live, world.clock, scope, property.id);
    await updateSignatureRow(signature_id, { legal_hold: true });
    for (const query of ['', '?force=true']) {
      expect((await live.del(`/properties/${property.id}${query}`)).body.error.code).toBe('legal_hold');
    }
    await updateSignatureRow(signature_id, { legal_hold: false });
    expect((await live.del(`/properties/${property.id}?force=true`)).status).toBe(200);
    const certificate = expectHttpStatus(await live.get(`/certificates/${signature_id}`), 200);
    expect(certificate.audit_trail.entries.length).toBeGreaterThan(0);
  });
});

describe('402 | a plan cap is hit on a write', () => {
  it('when a property exceeds the plan’s cap and no add-on raises it', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const team = await world.api.createTeam();
    const [own, sandbox] = [createApiCaller(world.api, team.live), createApiCaller(world.api, team.test)];
    await systemDb().team.update({ where: { id: team.id }, data: { property_limit: 2 } });
    const first = await makeProperty(own);
    await makeProperty(own);
    const refused = await own.post('/properties', { name: 'Third' });
    expect(refused.status).toBe(402);
    expect(refused.body.error).toMatchObject({ type: 'plan_limit_error', code: 'property_limit_reached' });
    expect((await sandbox.post('/properties', { name: 'Other mode' })).status).toBe(201);
    await own.del(`/properties/${first.id}`);
    expect((await own.post('/properties', { name: 'Third' })).status).toBe(201);
  });

  it('when a 26th property is created on Pro', async () => {
    const team = await world.api.createTeam();
    const own = createApiCaller(world.api, team.live);
    for (let index = 0; index < 25; index++) await makeProperty(own);
    expect((await own.post('/properties', { name: 'The 26th' })).status).toBe(402);
  });
});
