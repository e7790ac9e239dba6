/**
 * Code that the API's end-to-end tests share: the API with every response validated, a clock that
 * tests can set, and functions that create states which only guests, calendars and operators can
 * cause.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequiredScope } from '@/modules/api-keys/scopes';
import { type Clock, setClock } from '@/shared/clock';
import type { Mode, Scope } from '@/shared/scope';
import { type ApiResponse, startTestApiServer, type TestApiServer, type TestTeam } from '@/testing/api';
import { ResponseValidator, withResponseValidation } from './response-validator';

/** The body of any response. Tests check the fields that they use. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads fields of answers whose shape the validator has checked.
export type ResponseBody = any;
export type TestResponse = ApiResponse<ResponseBody>;

/** A clock that a test can move ahead of the system's clock, or freeze. */
export class MovableClock implements Clock {
  private offset_ms = 0;
  private frozen: number | null = null;

  now(): Date {
    return new Date((this.frozen ?? Date.now()) + this.offset_ms);
  }
  advance(ms: number): void {
    this.offset_ms += ms;
  }
  freeze(): void {
    this.frozen = Date.now();
  }
  /** Sets the time, in Unix ms, and freezes it. */
  set(ms: number): void {
    this.frozen = ms;
    this.offset_ms = 0;
  }
}

export const SECOND_MS = 1_000;
export const HOUR_MS = 60 * 60 * SECOND_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A calendar that a test serves and can change. */
export interface ServedFeed {
  url: string;
  /** The served text. When it is null, the server returns 503. */
  text: string | null;
  requests: number;
  /**
   * The server waits for this promise before each response. A test can replace it to delay
   * responses.
   */
  gate: Promise<void>;
}

export const EMPTY_ICALENDAR_TEXT = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//suite//EN\r\nEND:VCALENDAR\r\n';

/** Returns a calendar in iCalendar format with the bookings. */
export function buildIcalendarText(bookings: { uid: string; start: string; end: string; summary?: string }[]): string {
  const events = bookings.map(({ uid, start, end, summary = 'Reserved' }) =>
    [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      'DTSTAMP:20260101T000000Z',
      `DTSTART;VALUE=DATE:${start.replaceAll('-', '')}`,
      `DTEND;VALUE=DATE:${end.replaceAll('-', '')}`,
      `SUMMARY:${summary}`,
      'END:VEVENT',
    ].join('\r\n'),
  );
  return EMPTY_ICALENDAR_TEXT.replace('END:VCALENDAR', [...events, 'END:VCALENDAR'].join('\r\n'));
}

async function openFeed(): Promise<{ feed: ServedFeed; close(): Promise<void> }> {
  const feed: ServedFeed = { url: '', text: EMPTY_ICALENDAR_TEXT, requests: 0, gate: Promise.resolve() };
  const server = createServer(async (_request, response) => {
    feed.requests += 1;
    await feed.gate;
    response.writeHead(feed.text === null ? 503 : 200, { 'Content-Type': 'text/calendar' }).end(feed.text ?? '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  feed.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/calendar.ics`;
  return {
    feed,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export interface ApiTestContext {
  api: TestApiServer;
  feed: ServedFeed;
  validator: ResponseValidator;
  clock: MovableClock;
  team: TestTeam;
  close(): Promise<void>;
}

/** Opens the database and a listener, and creates a Pro team. Call once per test file. */
export async function openApiTestContext(limits?: { read: number; write: number }): Promise<ApiTestContext> {
  const clock = new MovableClock();
  setClock(clock);
  const plain = await startTestApiServer(limits);
  const { feed, close: closeFeed } = await openFeed();
  feedUrl = feed.url;
  const { buildOpenApiDocument } = await import('@/api/openapi');
  const validator = new ResponseValidator(buildOpenApiDocument());
  const api = withResponseValidation(plain, validator);
  const team = await api.createTeam({ name: 'Harbour Stays' });
  return {
    api,
    feed,
    validator,
    clock,
    team,
    async close() {
      await plain.close();
      await closeFeed();
      setClock(null);
    },
  };
}

/** A caller with one key. */
export interface ApiCaller {
  get(path: string, headers?: Record<string, string>): Promise<TestResponse>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  del(path: string, headers?: Record<string, string>): Promise<TestResponse>;
}

export function createApiCaller(api: TestApiServer, key: string): ApiCaller {
  const call = (method: string) => (path: string, body?: unknown, headers?: Record<string, string>) =>
    api.request<ResponseBody>(method, path, { key, body, headers });
  return {
    get: (path, headers) => call('GET')(path, undefined, headers),
    post: call('POST'),
    patch: call('PATCH'),
    put: call('PUT'),
    del: (path, headers) => call('DELETE')(path, undefined, headers),
  };
}

export function createScopeForTestTeam(team: TestTeam, mode: Mode): Scope {
  return { team_id: team.id, mode, actor: { kind: 'system', name: 'suite' } };
}

/**
 * Returns the response's body when it has the status. Otherwise throws an error that shows the
 * response.
 */
export function expectHttpStatus(answer: TestResponse, status: number): ResponseBody {
  if (answer.status !== status) throw new Error(`Expected ${status}, got ${answer.status}: ${answer.text}`);
  return answer.body;
}

/** Returns a date as `YYYY-MM-DD`: the clock's current date plus the given number of days. */
export function getIsoDateDaysFromNow(clock: Clock, days: number): string {
  return new Date(clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

let feedUrl = '';
let counter = 0;
/** Returns the prefix with a number that no other call returns. */
export const makeUniqueText = (prefix: string) => `${prefix}${++counter}`;

export async function makeProperty(caller: ApiCaller, fields: object = {}): Promise<ResponseBody> {
  return expectHttpStatus(await caller.post('/properties', { name: makeUniqueText('Property '), ...fields }), 201);
}

export function buildReservationInput(clock: Clock, property_id: string, fields: object = {}) {
  return {
    property_id,
    guest_name: 'Ada Lovelace',
    guest_email: 'ada@example.com',
    checkin_date: getIsoDateDaysFromNow(clock, 10),
    checkout_date: getIsoDateDaysFromNow(clock, 14),
    ...fields,
  };
}

export async function makeReservation(caller: ApiCaller, clock: Clock, property_id: string, fields: object = {}) {
  return expectHttpStatus(await caller.post('/reservations', buildReservationInput(clock, property_id, fields)), 201);
}

/** The time columns that a reservation must have in each status. The database requires them. */
const MARKS: Record<string, string[]> = {
  sent: ['sent_at'],
  opened: ['sent_at', 'opened_at'],
  clicked: ['sent_at', 'clicked_at'],
  signed: ['signed_at'],
  expired: ['expired_at'],
};

/** Changes a reservation's row directly, for states that only calendars or the clock can cause. */
export async function updateReservationRow(id: string, data: Record<string, unknown>): Promise<void> {
  const { systemDb } = await import('@/infra/db/client');
  const { clock } = await import('@/shared/clock');
  const marks = (MARKS[String(data.status)] ?? []).map((column) => [column, clock().now()]);
  await systemDb().reservation.update({
    where: { id },
    data: { ...Object.fromEntries(marks), ...data, version: { increment: 1 } },
  });
}

/** Opens the signing link and signs as the guest. Returns the certificate's id. */
export async function signAsGuest(scope: Scope, id: string, ip = '192.0.2.7'): Promise<string> {
  const { loadReservation } = await import('@/modules/reservations/save-transition');
  const { buildGuestPacketDisplay } = await import('@/modules/signing/display');
  const { recordGuestPageView, signReservation } = await import('@/modules/signing/service');
  const guest: Scope = { ...scope, actor: { kind: 'guest' } };
  await recordGuestPageView(guest, id, { ip });
  const display = buildGuestPacketDisplay(await loadReservation(guest, id), 'en');
  if (!display) throw new Error(`Reservation ${id} has no packet.`);
  const result = await signReservation(guest, id, {
    typed_name: 'Ada Lovelace',
    displayed_hash: display.hash,
    locale: 'en',
    drawn_signature: null,
    photo: null,
    otp_confirmed: false,
    origin: { ip, user_agent: 'suite' },
  });
  const signature_id = result.loaded.row.signature_id;
  if (!signature_id) throw new Error(`Reservation ${id} was not signed.`);
  return signature_id;
}

/** Stores the fields that the sealing job sets. Renders no PDF. */
export async function updateSignatureRow(id: string, data: Record<string, unknown>): Promise<void> {
  const { systemDb } = await import('@/infra/db/client');
  const sealed = data.sealed_at ? { pdf_sha256: '0'.repeat(64) } : {};
  const redacted = data.redacted_at ? { photo: null, drawn_signature: null, signer_email: null } : {};
  await systemDb().signature.update({ where: { id }, data: { ...sealed, ...redacted, ...data } });
}

/** Creates a reservation, sends it, and signs it as the guest. */
export async function makeSignedReservation(caller: ApiCaller, clock: Clock, scope: Scope, property_id: string) {
  const reservation = await makeReservation(caller, clock, property_id);
  expectHttpStatus(await caller.post(`/reservations/${reservation.id}/send`), 200);
  const signature_id = await signAsGuest(scope, reservation.id);
  return { reservation_id: reservation.id as string, signature_id };
}

export async function makeWebhookEndpoint(caller: ApiCaller, fields: object = {}): Promise<ResponseBody> {
  return expectHttpStatus(
    await caller.post('/webhook_endpoints', { url: `https://example.com/${makeUniqueText('hook')}`, ...fields }),
    201,
  );
}

export async function makeTestClock(caller: ApiCaller, frozen_time = '2030-01-01T00:00:00Z'): Promise<ResponseBody> {
  return expectHttpStatus(await caller.post('/test_clocks', { frozen_time }), 201);
}

/** Removes the team's test clocks, because every case creates one and the limit is ten. */
export async function removeTestClocks({ team_id }: Scope): Promise<void> {
  const { systemDb } = await import('@/infra/db/client');
  await systemDb().property.updateMany({ where: { team_id }, data: { test_clock_id: null } });
  await systemDb().testClock.deleteMany({ where: { team_id } });
}

/** Inserts an entry of the request log, because the server writes its own entries with a delay. */
export async function makeRequestLogEntry({ team_id, mode }: Scope): Promise<string> {
  const { systemDb } = await import('@/infra/db/client');
  const { newId } = await import('@/shared/ids');
  const { clock } = await import('@/shared/clock');
  const id = newId('request');
  const asked = { method: 'GET', path: '/v1/properties', status: 200, duration_ms: 1, created_at: clock().now() };
  await systemDb().requestLog.create({ data: { id, team_id, mode, ...asked } });
  return id;
}

/**
 * Creates a sync source as an operator does. The source reads the world's calendar unless
 * `feed_url` is given.
 */
export async function makeSyncSource(
  scope: Scope,
  property_id: string,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const { createSyncSource } = await import('@/modules/sync-sources/service');
  const row = await createSyncSource(scope, {
    property_id,
    kind: 'channel_a_ical',
    feed_url: `${feedUrl}?${makeUniqueText('feed')}`,
    ...fields,
  });
  return row.id;
}

export async function makeSms(scope: Scope, fields: Record<string, unknown> = {}): Promise<string> {
  const { systemDb } = await import('@/infra/db/client');
  const { newId } = await import('@/shared/ids');
  const { clock } = await import('@/shared/clock');
  const row = await systemDb().smsMessage.create({
    data: { id: newId('sms_message'), team_id: scope.team_id, mode: scope.mode, created_at: clock().now(), ...fields },
  });
  return row.id;
}

/** Inserts one delivery attempt for the team's newest event. Returns the event's id. */
export async function insertTestDeliveryAttempt(
  scope: Scope,
  endpoint_id: string,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const { systemDb } = await import('@/infra/db/client');
  const { newId } = await import('@/shared/ids');
  const { clock } = await import('@/shared/clock');
  const event = await systemDb().event.findFirst({
    where: { team_id: scope.team_id, mode: scope.mode },
    orderBy: { sequence: 'desc' },
  });
  if (!event) throw new Error('The team has no event yet.');
  const now = clock().now();
  await systemDb().webhookDelivery.create({
    data: {
      id: newId('webhook_delivery'),
      team_id: scope.team_id,
      mode: scope.mode,
      event_id: event.id,
      endpoint_id,
      event_type: event.type,
      attempt_number: 1,
      delivery_began_at: now,
      due_at: now,
      created_at: now,
      ...fields,
    },
  });
  return event.id;
}

export interface ApiKeyOptions {
  mode?: Mode;
  /** Restricts the key to exactly these scopes. */
  scopes?: readonly RequiredScope[];
  ip_allow?: readonly string[];
  revoked_at?: Date;
  expires_at?: Date;
}

/** Inserts a key directly. The API would refuse more than three keys. */
export async function makeApiKey(team_id: string, options: ApiKeyOptions = {}): Promise<string> {
  const { systemDb } = await import('@/infra/db/client');
  const { generateApiKey } = await import('@/modules/api-keys/rules');
  const { newId } = await import('@/shared/ids');
  const { clock } = await import('@/shared/clock');
  const { mode = 'live', scopes, ip_allow = [], revoked_at, expires_at } = options;
  const type = scopes ? 'restricted' : 'secret';
  const { key, prefix, hash, last4 } = generateApiKey(mode, type);
  const id = newId('api_key');
  await systemDb().apiKey.create({
    data: {
      id,
      team_id,
      mode,
      name: 'suite',
      type,
      scopes: [...(scopes ?? [])],
      ip_allow: [...ip_allow],
      prefix,
      hash,
      last4,
      revoked_at,
      expires_at,
      // A key with an end date counts as rotated, so it needs a successor.
      successor_id: expires_at ? id : null,
      created_at: clock().now(),
    },
  });
  return key;
}
