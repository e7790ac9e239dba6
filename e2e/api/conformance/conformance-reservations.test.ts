/**
 * Tests the specification's sections "Reservation", "ReservationCreate", "ReservationUpdate" and
 * related objects, row by row.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ARRIVAL_DETAILS_RELEASE_FIELD_TYPES, expectFieldsToMatchTypes, RESERVATION_FIELD_TYPES } from '../fields';
import {
  type ApiCaller,
  type ApiTestContext,
  buildReservationInput,
  createApiCaller,
  createScopeForTestTeam,
  DAY_MS,
  expectHttpStatus,
  getIsoDateDaysFromNow,
  HOUR_MS,
  makeApiKey,
  makeProperty,
  makeReservation,
  makeUniqueText,
  openApiTestContext,
  type ResponseBody,
  SECOND_MS,
  signAsGuest,
  updateReservationRow,
  updateSignatureRow,
} from '../test-context';

let world: ApiTestContext;
let live: ApiCaller;
let sandbox: ApiCaller;
let property: ResponseBody;
let test_property: ResponseBody;

beforeAll(async () => {
  world = await openApiTestContext();
  live = createApiCaller(world.api, world.team.live);
  sandbox = createApiCaller(world.api, world.team.test);
  property = await makeProperty(live);
  test_property = await makeProperty(sandbox);
});
afterAll(() => world.close());

const make = (fields: object = {}) => makeReservation(live, world.clock, property.id, fields);
const input = (fields: object = {}) => buildReservationInput(world.clock, property.id, fields);

async function expectRefused(body: object, code: string, param: string, path = '/reservations') {
  const answer = path === '/reservations' ? await live.post(path, body) : await live.patch(path, body);
  expect({ status: answer.status, code: answer.body.error.code, param: answer.body.error.param }).toEqual({
    status: 400,
    code,
    param,
  });
}

describe('a packet that the property does not have', () => {
  it.each(['pkt_01jzzzzzzzzzzzzzzzzzzzzzzz', ''])('is refused with 404 by POST and PATCH: "%s"', async (packet_id) => {
    const { id } = await makeReservation(live, world.clock, property.id);
    for (const answer of [
      await live.post('/reservations', buildReservationInput(world.clock, property.id, { packet_id })),
      await live.patch(`/reservations/${id}`, { packet_id }),
    ]) {
      expect({ status: answer.status, code: answer.body.error?.code, param: answer.body.error?.param }).toEqual({
        status: 404,
        code: 'resource_missing',
        param: 'packet_id',
      });
    }
  });
});

describe('Reservation', () => {
  it('has every field of its table, null when unknown', async () => {
    const reservation = await make();
    expectFieldsToMatchTypes(reservation, RESERVATION_FIELD_TYPES);
    expect(reservation.id).toMatch(/^res_[A-Za-z0-9_-]{8,}$/);
    expect(reservation).toMatchObject({
      object: 'reservation',
      property_id: property.id,
      status: 'draft',
      source: 'direct',
      sent_at: null,
      signature_id: null,
      manual_override: false,
      redacted: false,
      selfie_required: false,
      arrival_release_state: 'not_started',
    });
    expect(reservation).not.toHaveProperty('email_preview_url');
  });

  it('arrival_release | object | ReservationArrivalRelease', async () => {
    const { arrival_release } = await make();
    expectFieldsToMatchTypes(arrival_release, ARRIVAL_DETAILS_RELEASE_FIELD_TYPES);
    expect(arrival_release).toMatchObject({ state: 'not_started', next_events: [] });
  });
});

describe('ReservationCreate', () => {
  it('POST /reservations returns 201 with a draft and sends nothing', async () => {
    const answer = await live.post('/reservations', input({ source: 'channel_b' }));
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject(input({ source: 'channel_b' }));
    expect(answer.body).toMatchObject({ status: 'draft', sent_at: null });
    expect((await live.get(`/reservations/${answer.body.id}`)).body).toEqual(answer.body);
  });

  it('source is channel_a, channel_b, channel_c or direct, and defaults to direct', async () => {
    for (const source of ['channel_a', 'channel_b', 'channel_c', 'direct']) {
      expect((await make({ source })).source).toBe(source);
    }
    for (const source of ['airbnb', '', 'Direct', 1]) await expectRefused(input({ source }), 'invalid_field', 'source');
  });

  it.each(['property_id', 'guest_name', 'guest_email', 'checkin_date', 'checkout_date'])(
    '%s | string | required',
    async (field) => {
      const { [field as 'guest_name']: _absent, ...rest } = input();
      await expectRefused(rest, 'missing_required_field', field);
      await expectRefused({ ...rest, [field]: null }, 'missing_required_field', field);
    },
  );

  it('external_id (beta): is stored, can change until the reservation is sent, and filters the list', async () => {
    const number = makeUniqueText('BK-');
    const made = expectHttpStatus(await live.post('/reservations', input({ external_id: number })), 201);
    expect(made).toMatchObject({ external_id: number, external_source: null });
    const found = async (external_id: string) =>
      (await live.get(`/reservations?external_id=${external_id}`)).body.data.map(({ id }: ResponseBody) => id);
    expect(await found(number)).toEqual([made.id]);
    expect(await found(`${number}0`)).toEqual([]);
    expectHttpStatus(await live.patch(`/reservations/${made.id}`, { external_id: `${number}-2` }), 200);
    expect(await found(number)).toEqual([]);
    expect(await found(`${number}-2`)).toEqual([made.id]);
    expectHttpStatus(await live.patch(`/reservations/${made.id}`, { external_id: null }), 200);
    const long = await live.get(`/reservations?external_id=${'x'.repeat(201)}`);
    expect([long.status, long.body.error.code, long.body.error.param]).toEqual([400, 'invalid_field', 'external_id']);
  });

  it('property_id | string | prop_ pattern; 404 when unknown', async () => {
    for (const property_id of ['prop_short', 'res_01jd8z6q0v7m3k5n', 'x', 'prop_with space', '']) {
      const answer = await live.post('/reservations', input({ property_id }));
      expect(answer.status).toBe(400);
      expect(answer.body.error.param).toBe('property_id');
    }
    const nobody = await live.post('/reservations', input({ property_id: 'prop_nothing00' }));
    expect(nobody.status).toBe(404);
    expect(nobody.body.error).toMatchObject({
      type: 'not_found_error',
      code: 'resource_missing',
      param: 'property_id',
    });
  });

  it('guest_name | string | required, max 120', async () => {
    expect((await make({ guest_name: 'x'.repeat(120) })).guest_name).toHaveLength(120);
    await expectRefused(input({ guest_name: 'x'.repeat(121) }), 'invalid_field', 'guest_name');
    await expectRefused(input({ guest_name: ' \t ' }), 'missing_required_field', 'guest_name');
    expect((await make({ guest_name: ' Zoë 🏖️ ' })).guest_name).toBe('Zoë 🏖️');
  });

  it('guest_email | string (email) | required', async () => {
    for (const guest_email of ['ada', 'ada@', '@example.com', 'a b@example.com', 'ada@example', 7]) {
      await expectRefused(input({ guest_email }), 'invalid_field', 'guest_email');
    }
    expect((await make({ guest_email: ' ada.l+trip@example.co.uk ' })).guest_email).toBe('ada.l+trip@example.co.uk');
  });

  it('guest_email: rejects the placeholder that stands for an unknown address', async () => {
    await expectRefused(input({ guest_email: 'unknown+res_1@guest.invalid' }), 'invalid_field', 'guest_email');
  });

  it.each(['checkin_date', 'checkout_date'])('%s | date | a real calendar day', async (field) => {
    for (const value of [
      '2027-02-29',
      '2027-13-01',
      '2027-1-1',
      '2027-01-01T00:00:00Z',
      'tomorrow',
      '',
      '0000-01-01',
      20270101,
    ]) {
      await expectRefused(input({ [field]: value }), 'invalid_field', field);
    }
  });

  it('checkout_date must be after checkin_date', async () => {
    const same = getIsoDateDaysFromNow(world.clock, 5);
    await expectRefused(input({ checkin_date: same, checkout_date: same }), 'invalid_date_range', 'checkout_date');
    await expectRefused(
      input({ checkout_date: getIsoDateDaysFromNow(world.clock, 9) }),
      'invalid_date_range',
      'checkout_date',
    );
    expect((await make({ checkin_date: '2028-02-28', checkout_date: '2028-02-29' })).checkout_date).toBe('2028-02-29');
  });

  it('rejects unknown and read-only fields', async () => {
    await expectRefused(input({ guests: 2 }), 'unknown_field', 'guests');
    await expectRefused(input({ status: 'sent' }), 'unknown_field', 'status');
    expectHttpStatus(await live.post('/reservations', input({ object: 'reservation' })), 201);
  });
});

describe('ReservationUpdate', () => {
  it('400 for a changed source or property; the reservation as it was read is accepted', async () => {
    const made = await make();
    expectHttpStatus(await live.patch(`/reservations/${made.id}`, made), 200);
    for (const [param, value] of [
      ['source', 'channel_a'],
      ['property_id', 'prop_someotherone'],
      ['status', 'sent'],
      ['manual_override', true],
    ] as const) {
      const answer = await live.patch(`/reservations/${made.id}`, { [param]: value });
      expect([answer.status, answer.body.error?.code, answer.body.error?.param]).toEqual([400, 'invalid_field', param]);
    }
  });

  it('PATCH /reservations/{id}: all fields are optional, and only those present change', async () => {
    const made = await make();
    world.clock.advance(SECOND_MS);
    const changed = expectHttpStatus(await live.patch(`/reservations/${made.id}`, { guest_name: 'Grace' }), 200);
    expect(changed).toEqual({ ...made, guest_name: 'Grace', updated_at: changed.updated_at });
    const all = {
      guest_name: 'G',
      guest_email: 'g@example.org',
      checkin_date: '2030-01-01',
      checkout_date: '2030-01-03',
    };
    expect((await live.patch(`/reservations/${made.id}`, all)).body).toMatchObject(all);
    expect((await live.patch(`/reservations/${made.id}`, {})).body).toMatchObject(all);
  });

  it('accepts the reservation as it was read, and changes nothing', async () => {
    const made = await make();
    expect((await live.patch(`/reservations/${made.id}`, made)).body).toEqual(made);
  });

  it('sending back the placeholder for an unknown guest address leaves the address unknown', async () => {
    const { id } = await make();
    await updateReservationRow(id, { guest_email: null, status: 'synced' });
    const shown = expectHttpStatus(await live.get(`/reservations/${id}`), 200);
    expect(shown).toMatchObject({ guest_email: `unknown+${id}@guest.invalid`, guest_contact_missing: true });
    expect((await live.patch(`/reservations/${id}`, shown)).body).toMatchObject({ guest_contact_missing: true });
    const known = await live.patch(`/reservations/${id}`, { guest_email: 'real@example.com' });
    expect(known.body).toMatchObject({ guest_email: 'real@example.com', guest_contact_missing: false });
    await expectRefused(
      { guest_email: shown.guest_email.replace('res_', 'x') },
      'invalid_field',
      'guest_email',
      `/reservations/${id}`,
    );
  });

  it.each<[string, object, string, string]>([
    ['guest_name (max 120)', { guest_name: 'x'.repeat(121) }, 'invalid_field', 'guest_name'],
    ['clearing guest_name', { guest_name: null }, 'invalid_field', 'guest_name'],
    ['guest_email (email)', { guest_email: 'nope' }, 'invalid_field', 'guest_email'],
    ['checkin_date', { checkin_date: '2027-02-30' }, 'invalid_field', 'checkin_date'],
    [
      'checkout_date not after the stored checkin_date',
      { checkout_date: '2020-01-01' },
      'invalid_date_range',
      'checkout_date',
    ],
    ['unknown field', { notes: 'x' }, 'unknown_field', 'notes'],
  ])('rejects %s', async (_name, body, code, param) => {
    const { id } = await make();
    await expectRefused(body, code, param, `/reservations/${id}`);
  });

  it('both dates can change at once, even to a stay before the old check-in', async () => {
    const made = await make();
    const dates = {
      checkin_date: getIsoDateDaysFromNow(world.clock, 1),
      checkout_date: getIsoDateDaysFromNow(world.clock, 2),
    };
    expect((await live.patch(`/reservations/${made.id}`, dates)).body).toMatchObject(dates);
  });
});

describe('DELETE /reservations/{id}', () => {
  it('200 for a draft, which is then gone', async () => {
    const { id } = await make();
    expect((await live.del(`/reservations/${id}`)).status).toBe(200);
    expect((await live.get(`/reservations/${id}`)).status).toBe(404);
    expect((await live.get(`/reservations/${id}/events`)).status).toBe(404);
    expect((await live.del(`/reservations/${id}`)).status).toBe(404);
  });
});

describe('POST /reservations/{id}/send', () => {
  it('with a test key sets sent_at, email_preview_url and a preview, and emits a test-mode reservation.sent', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const made = await makeReservation(sandbox, world.clock, test_property.id);
    const before = world.clock.now().toISOString();
    const sent = expectHttpStatus(await sandbox.post(`/reservations/${made.id}/send`), 200);
    expect(sent.status).toBe('sent');
    expect(sent.sent_at >= before).toBe(true);
    expect(sent.email_preview_url).toBe(`${world.api.url}/reservations/${made.id}/email_preview`);
    const event = await systemDb().event.findFirstOrThrow({ where: { object_id: made.id, type: 'reservation.sent' } });
    expect(JSON.parse(event.body)).toMatchObject({
      livemode: false,
      data: { object: { id: made.id, status: 'sent' } },
    });
    const mail = await systemDb().mailMessage.findFirstOrThrow({ where: { reservation_id: made.id } });
    expect(mail.status).toBe('captured');
  });

  it('is idempotent: sending again returns the reservation unchanged, without a second mail', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const { id } = await make();
    const first = expectHttpStatus(await live.post(`/reservations/${id}/send`), 200);
    expect(first).not.toHaveProperty('email_preview_url');
    const links = (await live.get(`/reservations/${id}/copy-link`)).body;
    world.clock.advance(SECOND_MS);
    expect(expectHttpStatus(await live.post(`/reservations/${id}/send`), 200)).toEqual(first);
    expect((await live.get(`/reservations/${id}/copy-link`)).body).toEqual(links);
    expect(await systemDb().mailMessage.count({ where: { reservation_id: id } })).toBe(1);
  });

  it('selfie_required is a snapshot of the property’s photo requirement at send time', async () => {
    const own = await makeProperty(live);
    const [early, late] = [
      await makeReservation(live, world.clock, own.id),
      await makeReservation(live, world.clock, own.id),
    ];
    await live.post(`/reservations/${early.id}/send`);
    await live.patch(`/properties/${own.id}`, { photo_required: true });
    expect((await live.post(`/reservations/${late.id}/send`)).body.selfie_required).toBe(true);
    expect((await live.get(`/reservations/${early.id}`)).body.selfie_required).toBe(false);
  });
});

describe('POST /reservations/{id}/resend', () => {
  it('issues a new signing token and mails it; the link is a different one', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const { id } = await make();
    const first = (await live.post(`/reservations/${id}/send`)).body;
    const old = (await live.get(`/reservations/${id}/copy-link`)).body.signingUrl;
    world.clock.advance(SECOND_MS);
    const again = expectHttpStatus(await live.post(`/reservations/${id}/resend`), 200);
    expect(again.status).toBe('sent');
    expect(again.sent_at > first.sent_at).toBe(true);
    const fresh = (await live.get(`/reservations/${id}/copy-link`)).body.signingUrl;
    expect(fresh).not.toBe(old);
    expect(await systemDb().mailMessage.count({ where: { reservation_id: id } })).toBe(2);
  });
});

describe('POST /reservations/{id}/cancel', () => {
  it('200, and a repeated cancel is 200 and changes nothing', async () => {
    const { id } = await make();
    await live.post(`/reservations/${id}/send`);
    const cancelled = expectHttpStatus(await live.post(`/reservations/${id}/cancel`), 200);
    expect(cancelled).toMatchObject({ status: 'ignored', cancelled_at: expect.any(String) });
    world.clock.advance(SECOND_MS);
    expect(expectHttpStatus(await live.post(`/reservations/${id}/cancel`), 200)).toEqual(cancelled);
    expect((await live.get(`/reservations/${id}/copy-link`)).body.signingUrl).toBeNull();
  });
});

describe('GET /reservations/{id}/email_preview', () => {
  it('shows the guest’s link only to a key that may read the copy link', async () => {
    const made = await makeReservation(sandbox, world.clock, (await makeProperty(sandbox)).id);
    expectHttpStatus(await sandbox.post(`/reservations/${made.id}/send`), 200);
    const { signingUrl } = (await sandbox.get(`/reservations/${made.id}/copy-link`)).body;
    const token = signingUrl.split('/').at(-1);
    const path = `/reservations/${made.id}/email_preview`;
    for (const [scopes, visible] of [
      [['reservations:read'], false],
      [['reservations:send'], true],
    ] as const) {
      const key = await makeApiKey(world.team.id, { mode: 'test', scopes });
      const preview = expectHttpStatus(await createApiCaller(world.api, key).get(path), 200);
      for (const field of ['html', 'text']) expect([scopes, preview[field].includes(token)]).toEqual([scopes, visible]);
    }
  });

  it('returns the email preview for 24 hours after the send', async () => {
    const made = await makeReservation(sandbox, world.clock, test_property.id);
    const path = `/reservations/${made.id}/email_preview`;
    expect((await sandbox.get(path)).body.error.code).toBe('email_preview_unavailable');
    const sent = (await sandbox.post(`/reservations/${made.id}/send`)).body;
    const preview = expectHttpStatus(await sandbox.get(path), 200);
    expect(preview).toMatchObject({
      object: 'email_preview',
      reservation_id: made.id,
      would_send_to: 'ada@example.com',
      from: expect.stringMatching(/^[^<>\s]+@[^<>\s]+$/),
      subject: expect.any(String),
    });
    expect(preview.rendered_at >= sent.sent_at).toBe(true);
    const { signingUrl } = (await sandbox.get(`/reservations/${made.id}/copy-link`)).body;
    expect(preview.html).toContain(signingUrl);
    expect(preview.text).toContain(signingUrl);
    world.clock.advance(DAY_MS - 10 * SECOND_MS);
    expect((await sandbox.get(path)).status).toBe(200);
    world.clock.advance(10 * SECOND_MS);
    const gone = await sandbox.get(path);
    expect({ status: gone.status, code: gone.body.error.code }).toEqual({
      status: 404,
      code: 'email_preview_unavailable',
    });
  });

  it('404 for a live-mode reservation', async () => {
    const { id } = await make();
    await live.post(`/reservations/${id}/send`);
    expect((await live.get(`/reservations/${id}/email_preview`)).body.error.code).toBe('email_preview_unavailable');
  });
});

describe('GET /reservations/{id}/events', () => {
  it('lists the audit trail in order; reservation.signed has signed_ip and content_hash', async () => {
    const { id } = await make();
    world.clock.advance(SECOND_MS);
    await live.post(`/reservations/${id}/send`);
    world.clock.advance(SECOND_MS);
    const signature_id = await signAsGuest(createScopeForTestTeam(world.team, 'live'), id, '198.51.100.9');
    const trail = expectHttpStatus(await live.get(`/reservations/${id}/events`), 200);
    expect(trail).toMatchObject({ object: 'list', reservation_id: id });
    const types = trail.data.map((entry: ResponseBody) => entry.type);
    const by_guest = ['reservation.clicked', 'consent.given', 'reservation.signed'];
    expect(types).toEqual(['reservation.created', 'reservation.sent', ...by_guest]);
    const times = trail.data.map((entry: ResponseBody) => entry.created_at);
    expect(times).toEqual([...times].sort());
    const certificate = (await live.get(`/certificates/${signature_id}`)).body;
    for (const entry of trail.data) {
      const signed = entry.type === 'reservation.signed';
      expect(entry.signed_ip).toBe(signed ? '198.51.100.9' : null);
      expect(entry.content_hash).toBe(signed ? certificate.content_hash : null);
      expect([entry.by, entry.reason]).toEqual([null, null]);
    }
  });

  it('reservation.arrival_details_override_released has by and reason', async () => {
    const { applyReservationTransition } = await import('@/modules/reservations/save-transition');
    const lifecycle = await import('@/modules/reservations/rules/lifecycle');
    const own = await makeProperty(live);
    await live.patch(`/properties/${own.id}/packet`, {
      arrival_details: { door_code: '1234' },
      arrival_release: { door_code: 'after_signing' },
    });
    const { id } = await makeReservation(live, world.clock, own.id);
    await live.post(`/reservations/${id}/send`);
    await applyReservationTransition(createScopeForTestTeam(world.team, 'live'), id, (facts, context, now) =>
      lifecycle.overrideArrivalRelease(facts, context, { by: 'Olga', reason: 'Arrived early' }, now),
    );
    const trail = expectHttpStatus(await live.get(`/reservations/${id}/events`), 200);
    expect(trail.data.at(-1)).toMatchObject({
      type: 'reservation.arrival_details_override_released',
      by: 'Olga',
      reason: 'Arrived early',
      signed_ip: null,
    });
    expect((await live.get(`/reservations/${id}`)).body).toMatchObject({
      arrival_release_state: 'override_released',
      arrival_release_override_by: 'Olga',
      arrival_release_override_reason: 'Arrived early',
      arrival_release: { state: 'override_released', next_events: ['released'] },
    });
  });
});

describe('GET /reservations/{id}/copy-link', () => {
  it('signingUrl is null before the send; copyUrl is null before the signature and after revocation', async () => {
    const { id } = await make();
    const path = `/reservations/${id}/copy-link`;
    expect(expectHttpStatus(await live.get(path), 200)).toEqual({ signingUrl: null, copyUrl: null });
    await live.post(`/reservations/${id}/send`);
    const sent = (await live.get(path)).body;
    expect(sent.signingUrl).toMatch(/\/sign\/[A-Za-z0-9_-]{20,}$/);
    expect(sent.copyUrl).toBeNull();
    const signature_id = await signAsGuest(createScopeForTestTeam(world.team, 'live'), id);
    const signed = (await live.get(path)).body;
    expect(signed.copyUrl).toMatch(new RegExp(`^${world.api.url.replace('/v1', '')}/c/[A-Za-z0-9_-]{20,}$`));
    await updateSignatureRow(signature_id, { copy_revoked_at: world.clock.now() });
    expect((await live.get(path)).body.copyUrl).toBeNull();
  });

  it('the signing URL uses the custom domain, else the subdomain, else the main domain', async () => {
    const { config, setConfig } = await import('@/config');
    const { systemDb } = await import('@/infra/db/client');
    const before = config().app_url;
    setConfig({ app_url: 'https://threshold.example' });
    try {
      const subdomain = makeUniqueText('vanity-');
      const own = await makeProperty(live, { subdomain });
      const { id } = await makeReservation(live, world.clock, own.id);
      await live.post(`/reservations/${id}/send`);
      const origin = async () => new URL((await live.get(`/reservations/${id}/copy-link`)).body.signingUrl).origin;
      expect(await origin()).toBe(`https://${subdomain}.threshold.example`);
      const custom_domain = `${makeUniqueText('vanity')}.example.org`;
      await live.patch(`/properties/${own.id}`, { custom_domain });
      // Links use the subdomain until the custom domain is verified.
      expect(await origin()).toBe(`https://${subdomain}.threshold.example`);
      await systemDb().property.update({
        where: { id: own.id },
        data: { custom_domain_verified_at: world.clock.now() },
      });
      expect(await origin()).toBe(`https://${custom_domain}`);
      await live.patch(`/properties/${own.id}`, { custom_domain: null, subdomain: null });
      expect(await origin()).toBe('https://threshold.example');
    } finally {
      setConfig({ app_url: before });
    }
  });
});

describe('Arrival-release recipe', () => {
  it('moves from not_started through ready_to_hold, held and released to viewed', async () => {
    const { recordGuestPageView } = await import('@/modules/signing/service');
    const scope = { ...createScopeForTestTeam(world.team, 'live'), actor: { kind: 'guest' } } as const;
    const own = await makeProperty(live);
    const { id } = await makeReservation(live, world.clock, own.id);
    const state = async () => (await live.get(`/reservations/${id}`)).body.arrival_release_state;
    expect(await state()).toBe('not_started');
    await live.post(`/reservations/${id}/send`);
    expect(await state()).toBe('not_configured');
    await live.patch(`/properties/${own.id}/packet`, {
      arrival_details: { wifi: { network: 'loft', password: 'secret' } },
    });
    expect(await state()).toBe('not_held');
    await live.patch(`/properties/${own.id}/packet`, { arrival_release: { wifi: 'after_signing' } });
    expect(await state()).toBe('ready_to_hold');
    await recordGuestPageView(scope, id, {});
    expect(await state()).toBe('held');
    await signAsGuest(scope, id);
    expect(await state()).toBe('released');
    world.clock.advance(HOUR_MS);
    await recordGuestPageView(scope, id, {});
    const viewed = (await live.get(`/reservations/${id}`)).body;
    expect(viewed).toMatchObject({ arrival_release_state: 'viewed', status: 'signed' });
    for (const field of ['held_at', 'released_at', 'viewed_at']) {
      expect(viewed.arrival_release[field]).toBe(viewed[`arrival_details_${field}`]);
      expect(viewed.arrival_release[field]).not.toBeNull();
    }
    expect(JSON.stringify(viewed)).not.toContain('secret');
  });
});
