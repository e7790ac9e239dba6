/**
 * Tests the specification's sections "Certificate", "SyncSource" and "SmsMessage" and their
 * endpoint tables, row by row.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CERTIFICATE_FIELD_TYPES,
  expectFieldsToMatchTypes,
  RESERVATION_FIELD_TYPES,
  SMS_FIELD_TYPES,
  SYNC_SOURCE_FIELD_TYPES,
} from '../fields';
import {
  type ApiCaller,
  type ApiTestContext,
  buildIcalendarText,
  createApiCaller,
  createScopeForTestTeam,
  EMPTY_ICALENDAR_TEXT,
  expectHttpStatus,
  getIsoDateDaysFromNow,
  makeProperty,
  makeSignedReservation,
  makeSms,
  makeSyncSource,
  openApiTestContext,
  type ResponseBody,
  SECOND_MS,
  signAsGuest,
  updateSignatureRow,
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

const scope = () => createScopeForTestTeam(world.team, 'live');
const sign = () => makeSignedReservation(live, world.clock, scope(), property.id);

describe('Certificates', () => {
  it('GET /certificates/{id} | has every field of its table, and the audit-trail JSON', async () => {
    const { signature_id, reservation_id } = await sign();
    const certificate = expectHttpStatus(await live.get(`/certificates/${signature_id}`), 200);
    expectFieldsToMatchTypes(certificate, CERTIFICATE_FIELD_TYPES);
    expect(certificate).toMatchObject({
      id: expect.stringMatching(/^sig_[A-Za-z0-9_-]{8,}$/),
      object: 'certificate',
      reservation_id,
      content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      pdf_available: false,
      redacted: false,
      legal_hold: false,
    });
    expect(certificate.verify_url.endsWith(`/verify/${certificate.verify_token}`)).toBe(true);
    const { audit_trail } = certificate;
    expect(audit_trail.content_hash).toBe(certificate.content_hash);
    expect(audit_trail.entries.map((entry: ResponseBody) => entry.seq)).toEqual(
      audit_trail.entries.map((_: ResponseBody, index: number) => index + 1),
    );
    for (const [index, entry] of audit_trail.entries.entries()) {
      expect(entry.prev_hash).toBe(index === 0 ? null : audit_trail.entries[index - 1].hash);
    }
    const reservation = (await live.get(`/reservations/${reservation_id}`)).body;
    expect(reservation).toMatchObject({ status: 'signed', signature_id, signed_at: certificate.signed_at });
  });

  it('content_hash | SHA-256 of the packet snapshot the guest signed, as a third party computes it', async () => {
    const { createHash } = await import('node:crypto');
    const { default: canonicalize } = await import('canonicalize');
    const { signature_id } = await sign();
    const { audit_trail, content_hash } = (await live.get(`/certificates/${signature_id}`)).body;
    const text = canonicalize(audit_trail.snapshot) ?? '';
    expect(createHash('sha256').update(text).digest('hex')).toBe(content_hash);
  });

  it('GET /certificates | lists one certificate per signed reservation, newest first, with both cursors', async () => {
    const team = await world.api.createTeam();
    const own = createApiCaller(world.api, team.live);
    const place = await makeProperty(own);
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      world.clock.advance(SECOND_MS);
      ids.unshift(
        (await makeSignedReservation(own, world.clock, createScopeForTestTeam(team, 'live'), place.id)).signature_id,
      );
    }
    const list = expectHttpStatus(await own.get('/certificates'), 200);
    expect(list.data.map((item: ResponseBody) => item.id)).toEqual(ids);
    expect(list).toMatchObject({ object: 'list', has_more: false, url: '/v1/certificates' });
    const [newest] = list.data;
    const of_one = (await own.get(`/certificates?reservation=${newest.reservation_id}`)).body;
    expect(of_one.data).toEqual([newest]);
    expect((await own.get('/certificates?reservation=res_nothing00')).body.data).toEqual([]);
    expect((await own.get('/certificates?reservation=nope')).body.error).toMatchObject({ param: 'reservation' });
    const next = (await own.get(`/certificates?limit=1&starting_after=${ids[0]}`)).body;
    expect({ ids: next.data.map((item: ResponseBody) => item.id), more: next.has_more }).toEqual({
      ids: [ids[1]],
      more: true,
    });
    const previous = (await own.get(`/certificates?limit=1&ending_before=${ids[2]}`)).body;
    expect({ ids: previous.data.map((item: ResponseBody) => item.id), more: previous.has_more }).toEqual({
      ids: [ids[1]],
      more: true,
    });
    const { audit_trail: _trail, evidence: _evidence, ...head } = (await own.get(`/certificates/${ids[0]}`)).body;
    expect(list.data[0]).toEqual(head);
  });

  it('GET /certificates/{id}/download | redirects with 302 to the public PDF URL with the verify token', async () => {
    const { signature_id } = await sign();
    const path = `/certificates/${signature_id}/download`;
    const early = await live.get(path);
    expect({ status: early.status, code: early.body.error.code }).toEqual({ status: 404, code: 'resource_missing' });
    await updateSignatureRow(signature_id, { sealed_at: world.clock.now() });
    expect((await live.get(`/certificates/${signature_id}`)).body.pdf_available).toBe(true);
    const answer = await live.get(path);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 302, text: '' });
    const { verify_url } = (await live.get(`/certificates/${signature_id}`)).body;
    const location = answer.headers.get('location') ?? '';
    expect(location.split('?')[0]).toBe(`${verify_url}/certificate.pdf`);
    expect([...new URL(location).searchParams.keys()]).toEqual(['expires', 'signature']);
  });

  it('410 when the certificate is redacted, because its PDF can no longer be downloaded', async () => {
    const { signature_id } = await sign();
    await updateSignatureRow(signature_id, { sealed_at: world.clock.now(), redacted_at: world.clock.now(), pdf: null });
    const answer = await live.get(`/certificates/${signature_id}/download`);
    expect(answer.status).toBe(410);
    expect(answer.body.error).toMatchObject({ type: 'not_found_error', code: 'certificate_redacted' });
    const certificate = expectHttpStatus(await live.get(`/certificates/${signature_id}`), 200);
    expect(certificate).toMatchObject({ redacted: true, pdf_available: false, audit_trail: { snapshot: null } });
  });

  it('404 for an unknown id', async () => {
    for (const path of ['/certificates/sig_nothing00', '/certificates/sig_nothing00/download', '/certificates/x']) {
      expect((await live.get(path)).body.error.code).toBe('resource_missing');
    }
  });
});

describe('Sync sources', () => {
  it('GET /sync_sources/{id} | has every field of its table', async () => {
    const id = await makeSyncSource(scope(), property.id, {
      feed_url: 'webcal://calendars.example.com/a.ics?s=secret',
    });
    const source = expectHttpStatus(await live.get(`/sync_sources/${id}`), 200);
    expectFieldsToMatchTypes(source, SYNC_SOURCE_FIELD_TYPES);
    expect(source).toMatchObject({
      id: expect.stringMatching(/^ss_[A-Za-z0-9_-]{8,}$/),
      object: 'sync_source',
      kind: 'channel_a_ical',
      property_id: property.id,
      feed_url: 'https://calendars.example.com/a.ics?s=secret',
      enabled: true,
      last_synced_at: null,
      last_status: null,
      last_error: null,
    });
  });

  it('kind | enum | channel_a_ical, channel_b_ical, channel_c_ical, forward_email; feed_url | URI or null', async () => {
    for (const kind of ['channel_a_ical', 'channel_b_ical', 'channel_c_ical', 'forward_email']) {
      const id = await makeSyncSource(scope(), property.id, {
        kind,
        ...(kind === 'forward_email' && { feed_url: null }),
      });
      const source = (await live.get(`/sync_sources/${id}`)).body;
      expect(source.kind).toBe(kind);
      expect(source.feed_url === null).toBe(kind === 'forward_email');
    }
  });

  it('GET /sync_sources | pages newest first', async () => {
    const team = await world.api.createTeam();
    const own = createApiCaller(world.api, team.live);
    const place = await makeProperty(own);
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      world.clock.advance(SECOND_MS);
      ids.unshift(await makeSyncSource(createScopeForTestTeam(team, 'live'), place.id));
    }
    const page = expectHttpStatus(await own.get('/sync_sources?limit=2'), 200);
    expect(page).toMatchObject({ object: 'list', has_more: true, url: '/v1/sync_sources' });
    expect(page.data.map((item: ResponseBody) => item.id)).toEqual(ids.slice(0, 2));
    expect(page.data[0]).toEqual((await own.get(`/sync_sources/${ids[0]}`)).body);
  });

  it('404 for an unknown id', async () => {
    expect((await live.get('/sync_sources/ss_nothing00')).status).toBe(404);
  });
});

describe('POST /sync_sources/{id}/run', () => {
  const booking = (uid: string, from: number) => ({
    uid,
    start: getIsoDateDaysFromNow(world.clock, from),
    end: getIsoDateDaysFromNow(world.clock, from + 2),
  });
  const reservationsOf = async (id: string): Promise<ResponseBody[]> =>
    (await live.get(`/reservations?property=${id}`)).body.data;

  it('takes no body, syncs the calendar immediately and returns it with a new last_status', async () => {
    const place = await makeProperty(live);
    const id = await makeSyncSource(scope(), place.id);
    world.feed.text = buildIcalendarText([booking('one@example', 20), booking('two@example', 30)]);
    const before = world.clock.now().toISOString();
    const source = expectHttpStatus(await live.post(`/sync_sources/${id}/run`), 200);
    expectFieldsToMatchTypes(source, SYNC_SOURCE_FIELD_TYPES);
    expect(source).toMatchObject({ id, last_status: 'ok', last_error: null });
    expect(source.last_synced_at >= before).toBe(true);
    const { updated_at: _now, ...rest } = source;
    expect((await live.get(`/sync_sources/${id}`)).body).toMatchObject(rest);

    const made = await reservationsOf(place.id);
    expect(made).toHaveLength(2);
    for (const reservation of made) {
      expectFieldsToMatchTypes(reservation, RESERVATION_FIELD_TYPES);
      expect(reservation).toMatchObject({ status: 'synced', source: 'channel_a', sent_at: null });
    }
  });

  it('a moved booking updates only the dates, and never a signed reservation', async () => {
    const place = await makeProperty(live);
    const id = await makeSyncSource(scope(), place.id);
    world.feed.text = buildIcalendarText([booking('moves@example', 20), booking('signed@example', 40)]);
    await live.post(`/sync_sources/${id}/run`);
    const [signed, moves] = await reservationsOf(place.id).then((rows) =>
      rows.sort((a, b) => (a.checkin_date < b.checkin_date ? 1 : -1)),
    );
    for (const { id: one } of [signed, moves]) {
      await live.patch(`/reservations/${one}`, { guest_name: 'Grace', guest_email: 'grace@example.com' });
      expectHttpStatus(await live.post(`/reservations/${one}/send`), 200);
    }
    await signAsGuest(scope(), signed.id);
    world.feed.text = buildIcalendarText([booking('moves@example', 21), booking('signed@example', 42)]);
    expect(expectHttpStatus(await live.post(`/sync_sources/${id}/run`), 200).last_status).toBe('ok');
    expect((await live.get(`/reservations/${moves.id}`)).body).toMatchObject({
      checkin_date: getIsoDateDaysFromNow(world.clock, 21),
      checkout_date: getIsoDateDaysFromNow(world.clock, 23),
      guest_name: 'Grace',
      guest_email: 'grace@example.com',
      status: 'sent',
    });
    expect((await live.get(`/reservations/${signed.id}`)).body).toMatchObject({
      status: 'signed',
      checkin_date: signed.checkin_date,
      checkout_date: signed.checkout_date,
    });
  });

  it('returns 200 with the error when the calendar cannot be read', async () => {
    const id = await makeSyncSource(scope(), property.id);
    world.feed.text = null;
    const source = expectHttpStatus(await live.post(`/sync_sources/${id}/run`), 200);
    expect(source.last_status).not.toBe('ok');
    expect(source.last_error).toEqual(expect.any(String));
    world.feed.text = EMPTY_ICALENDAR_TEXT;
  });

  it('409 when disabled, already running or of kind forward_email; 404 for an unknown id', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const run = async (id: string) => {
      const answer = await live.post(`/sync_sources/${id}/run`);
      return [answer.status, answer.body.error?.code];
    };
    const off = await makeSyncSource(scope(), property.id);
    await systemDb().syncSource.update({ where: { id: off }, data: { enabled: false } });
    expect(await run(off)).toEqual([409, 'sync_source_disabled']);
    expect(await run(await makeSyncSource(scope(), property.id, { kind: 'forward_email', feed_url: null }))).toEqual([
      409,
      'sync_not_supported',
    ]);
    expect(await run('ss_nothing00')).toEqual([404, 'resource_missing']);

    const busy = await makeSyncSource(scope(), property.id);
    const asked = world.feed.requests;
    let open = () => {};
    world.feed.gate = new Promise((resolve) => {
      open = resolve;
    });
    const first = run(busy);
    while (world.feed.requests === asked) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await run(busy)).toEqual([409, 'sync_in_progress']);
    open();
    world.feed.gate = Promise.resolve();
    expect(await first).toEqual([200, undefined]);
    expect(await run(busy)).toEqual([200, undefined]);
  });

  it('with an Idempotency-Key it runs once, blocks no other request and replays its response', async () => {
    const id = await makeSyncSource(scope(), property.id);
    const headers = { 'Idempotency-Key': 'run-once' };
    const asked = world.feed.requests;
    let open = () => {};
    world.feed.gate = new Promise((resolve) => {
      open = resolve;
    });
    const running = live.post(`/sync_sources/${id}/run`, undefined, headers);
    while (world.feed.requests === asked) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await live.post('/properties', { name: 'Meanwhile' })).status).toBe(201);
    open();
    world.feed.gate = Promise.resolve();
    const first = await running;
    expectHttpStatus(first, 200);
    const again = await live.post(`/sync_sources/${id}/run`, undefined, headers);
    expect([again.text, again.headers.get('idempotent-replay')]).toEqual([first.text, 'true']);
    expect(world.feed.requests).toBe(asked + 1);
  });
});

describe('SMS messages (beta, read-only)', () => {
  it('the list is empty until SMS delivery ships', async () => {
    const team = await world.api.createTeam();
    const list = expectHttpStatus(await createApiCaller(world.api, team.live).get('/sms_messages'), 200);
    expect(list).toEqual({ object: 'list', data: [], has_more: false, url: '/v1/sms_messages' });
  });

  it('GET /sms_messages/{id} | has every field of its table', async () => {
    const bare = await makeSms(scope());
    const full = await makeSms(scope(), {
      to: '+351910000000',
      body: 'Hello',
      status: 'delivered',
      delivered_at: new Date(),
    });
    for (const id of [bare, full]) {
      const message = expectHttpStatus(await live.get(`/sms_messages/${id}`), 200);
      expectFieldsToMatchTypes(message, SMS_FIELD_TYPES);
      expect(message.object).toBe('sms_message');
    }
    const page = (await live.get('/sms_messages?limit=1')).body;
    expect({ more: page.has_more, count: page.data.length }).toEqual({ more: true, count: 1 });
    expect((await live.get('/sms_messages/sms_nothing00')).status).toBe(404);
  });

  it.each(['POST', 'PATCH', 'DELETE', 'PUT'])('is read-only: %s is a 405', async (method) => {
    const answer = await world.api.request<ResponseBody>(method, '/sms_messages', { key: world.team.live, body: {} });
    expect(answer.status).toBe(405);
    expect(answer.body.error).toMatchObject({ type: 'invalid_request_error', code: 'method_not_allowed' });
    expect(answer.headers.get('allow')).toBe('GET');
  });
});
