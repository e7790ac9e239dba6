/**
 * Tests the events that every change of a reservation or property emits, in every state. The
 * expected events are derived from the resource before and after the change, not from the code that
 * makes the change.
 */
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WebhookDeliveryBody } from '@/events/catalogue';
import { systemDb } from '@/infra/db/client';
import { inTransaction } from '@/infra/db/transaction';
import { redactCertificate, setLegalHold } from '@/modules/certificates/privacy/service';
import { signAsGuest } from '@/modules/certificates/testing/signed';
import { deleteProperty } from '@/modules/export-and-deletion/property-deletion.service';
import { deriveLinkToken } from '@/modules/links/urls';
import { createPacket, retrieveDefaultPacket, updatePacket } from '@/modules/packets/service';
import {
  type DomainDnsRecordLookupFunction,
  verifyCustomDomain,
} from '@/modules/properties/domains/custom-domain.service';
import { lookUpDnsOfDueCustomDomains } from '@/modules/properties/domains/recheck';
import { PropertyCreate, type PropertyUpdate } from '@/modules/properties/schemas';
import { serializeProperty } from '@/modules/properties/serializer';
import { createProperty, retrieveProperty, updateProperty } from '@/modules/properties/service';
import { storeGuestEmailAddressAndSendPacket } from '@/modules/signing/contact';
import { recordGuestReply } from '@/modules/signing/reply';
import { recordGuestPageView } from '@/modules/signing/service';
import { parseCalendarDay } from '@/shared/calendar-day';
import { setClock } from '@/shared/clock';
import { isAppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { MATRIX_TEST_OPTIONS, selectSampledCases } from '@/testing/sample';
import { clearDatabase, insertTeam } from '@/testing/team';
import { changeReservationDates } from './change-dates/service';
import {
  ignoreReservation,
  markGuestReplyHandled,
  markReservationSigned,
  releaseArrivalDetails,
  restoreReservation,
} from './host.service';
import { recordTrackingPixelRequest } from './mail-reports';
import type { ScheduledActionKind } from './rules/reminders';
import { correctGuestAndMailUpdatedPacket, resendReservation, sendReservation } from './send';
import {
  cancelReservation,
  createReservation,
  deleteReservation,
  insertReservation,
  retrieveReservation,
  serializeReservationWithPacket,
  updateReservation,
} from './service';
import { performDueScheduledActions } from './timed/due-work';

type Resource = Record<string, unknown> & { updated_at: string };

let scope: Scope;
let time: FakeClock;
let property_id: string;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  time = installFakeClock('2030-06-01T10:00:00Z');
  scope = await insertTeam();
  const settings = { auto_send_packet: true, auto_send_offset_hours: 48, auto_reminders: true };
  property_id = (await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul', ...settings }))).id;
  const { id } = await retrieveDefaultPacket(scope, property_id);
  const arrival_details = { door_code: '4711#', wifi: { network: 'Azul', password: 'mar' } };
  const arrival_release = { door_code: 'after_signing', wifi: 'after_signing' } as const;
  await updatePacket(scope, id, { arrival_details, arrival_release }, { if_match: null });
});
afterEach(() => setClock(null));

// --- expected events ----------------------------------------------------------------------------

/** Returns the previous values of the fields that differ. */
const differing = (former: Resource, later: Resource): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(former).filter(
      ([field, value]) => field !== 'updated_at' && !isDeepStrictEqual(value, later[field]),
    ),
  );

const DETAILS = ['packet_id', 'guest_name', 'guest_email', 'guest_contact_missing', 'locale', 'checkin_date'];
DETAILS.push('checkout_date', 'external_source', 'external_id', 'metadata');

interface Expected {
  types: string[];
  previous_attributes: Record<string, unknown>;
}

function expectedOfReservation(former: Resource, later: Resource | null): Expected {
  if (!later) return { types: ['reservation.deleted'], previous_attributes: {} };
  const came = (field: string) => later[field] !== null && later[field] !== former[field];
  const told = [
    came('sent_at') && 'sent',
    came('clicked_at') && 'clicked',
    came('arrival_details_held_at') && 'arrival_details_held',
    came('signed_at') && 'signed',
    came('arrival_details_released_at') && 'arrival_details_released',
    came('arrival_details_viewed_at') && 'arrival_details_viewed',
    came('arrival_release_override_at') && 'arrival_details_override_released',
    came('cancelled_at') && 'cancelled',
    later.status === 'expired' && former.status !== 'expired' && 'expired',
  ].flatMap((name) => (name ? `reservation.${name}` : []));
  const settled = told.includes('reservation.signed') ? ['packet_id', 'locale'] : [];
  const changed = Object.entries(differing(former, later)).filter(
    ([field]) => told.length === 0 || (DETAILS.includes(field) && !settled.includes(field)),
  );
  const redacted = later.redacted && !former.redacted;
  return {
    types: [...(changed.length > 0 ? ['reservation.updated'] : []), ...told],
    previous_attributes: redacted ? { redacted: false } : Object.fromEntries(changed),
  };
}

function expectedOfProperty(former: Resource, later: Resource | null): Expected {
  if (!later) return { types: ['property.deleted'], previous_attributes: {} };
  const previous_attributes = differing(former, later);
  return { types: Object.keys(previous_attributes).length > 0 ? ['property.updated'] : [], previous_attributes };
}

const missing = (error: unknown): null => {
  if (isAppError(error) && error.code === 'resource_missing') return null;
  throw error;
};

const json = (resource: object): Resource => JSON.parse(JSON.stringify(resource));
const readReservation = (id: string) =>
  retrieveReservation(scope, id).then((found) => json(serializeReservationWithPacket(found)), missing);
const readProperty = (id: string) =>
  retrieveProperty(scope, id).then((found) => json(serializeProperty(found)), missing);

/** Makes a change, which may be refused, and compares its events with the changed resource. */
async function expectEvents(
  id: string,
  change: () => Promise<unknown>,
  read: (id: string) => Promise<Resource | null>,
  expected: (former: Resource, later: Resource | null) => Expected,
): Promise<string[]> {
  const former = await read(id);
  if (!former) throw new Error('There is no such resource.');
  const { _max } = await systemDb().event.aggregate({ _max: { sequence: true } });
  time.advance(1_000);
  await change().catch((error) => {
    if (!isAppError(error)) throw error;
  });
  const later = await read(id);
  const rows = await systemDb().event.findMany({
    where: { object_id: id, sequence: { gt: _max.sequence ?? 0n } },
    orderBy: { sequence: 'asc' },
  });
  const events = rows.map(({ body }) => JSON.parse(body) as WebhookDeliveryBody);
  const { types, previous_attributes } = expected(former, later);
  expect(events.map(({ type }) => type)).toEqual(types);
  for (const { type, data } of events) {
    expect(type.endsWith('.updated') ? data.previous_attributes : {}).toEqual(
      type.endsWith('.updated') ? previous_attributes : {},
    );
    const alone = events.length === 1 && type.endsWith('.updated') && !(data.object as Resource).redacted;
    const { updated_at } = former;
    if (alone) expect({ ...data.object, ...(data.previous_attributes as object), updated_at }).toEqual(former);
  }
  if (events.length > 0) expect(events.at(-1)?.data.object).toEqual(later ?? former);
  return types;
}

// --- reservations --------------------------------------------------------------------------------

const STAY = { guest_name: 'Ana', checkin_date: '2030-06-15', checkout_date: '2030-06-18' };
const PHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';
const EXPIRED = '2030-06-19T00:00:00Z';

async function insertSynced(guest_email: string | null): Promise<string> {
  const { row } = await inTransaction(scope, () =>
    insertReservation(scope, {
      property_id,
      guest_name: 'Guest HM1',
      guest_email,
      checkin_date: parseCalendarDay(STAY.checkin_date),
      checkout_date: parseCalendarDay(STAY.checkout_date),
      source: 'channel_a',
      status: 'synced',
      initial_status: 'synced',
      external_source: 'channel_a_ical',
      external_id: 'HM1',
    }),
  );
  return row.id;
}

async function insertDraft(): Promise<string> {
  const given = { ...STAY, property_id, guest_email: 'ana@example.com', metadata: { unit: '4' }, source: 'direct' };
  return (await createReservation(scope, { ...given, source: 'direct' })).row.id;
}

async function insertSent(): Promise<string> {
  const id = await insertDraft();
  await sendReservation(scope, id);
  return id;
}

async function openMail(reservation_id: string): Promise<void> {
  const mail = await systemDb().mailMessage.findFirst({ where: { reservation_id }, orderBy: { id: 'desc' } });
  const request = { method: 'GET', user_agent: PHONE, purpose: null };
  await recordTrackingPixelRequest(mail ? deriveLinkToken('mail-open', mail.id) : 'nobody’s', request);
}

const thenDo = (before: () => Promise<string>, change: (id: string) => Promise<unknown>) => async () => {
  const id = await before();
  await change(id);
  return id;
};
const work = (kind: ScheduledActionKind, at: string) => (id: string) => {
  time.set(at);
  return performDueScheduledActions(kind, id);
};
const look = (id: string) => recordGuestPageView({ ...scope, actor: { kind: 'guest' } }, id, {});
const sign = (id: string) => signAsGuest(scope, id);

const STATES: Record<string, () => Promise<string>> = {
  draft: insertDraft,
  synced: () => insertSynced('ana@example.com'),
  'synced without an address': () => insertSynced(null),
  sent: insertSent,
  opened: thenDo(insertSent, openMail),
  clicked: thenDo(insertSent, look),
  'released early': thenDo(insertSent, async (id) => {
    await look(id);
    await releaseArrivalDetails(scope, id, { reason: 'At the door', groups: ['wifi'] });
  }),
  signed: thenDo(insertSent, sign),
  'signed by hand': thenDo(insertDraft, (id) => markReservationSigned(scope, id)),
  expired: thenDo(insertSent, work('expire', EXPIRED)),
  cancelled: thenDo(insertSent, (id) => cancelReservation(scope, id)),
};

const patch = (changes: Parameters<typeof updateReservation>[2]) => (id: string) =>
  updateReservation(scope, id, changes, null);
const correct = (changes: Parameters<typeof correctGuestAndMailUpdatedPacket>[2]) => (id: string) =>
  correctGuestAndMailUpdatedPacket(scope, id, changes);

const CHANGES: Record<string, (id: string) => Promise<unknown>> = {
  'another name': patch({ guest_name: 'Ana Sousa' }),
  'another address': patch({ guest_email: 'sousa@example.com' }),
  'a language': patch({ locale: 'pt-BR' }),
  'other dates': patch({ checkin_date: '2030-06-16', checkout_date: '2030-06-20' }),
  'a variant': async (id) => {
    const { id: packet_id } = await createPacket(scope, property_id, { name: 'Dogs' });
    return updateReservation(scope, id, { packet_id }, null);
  },
  'an external id': patch({ external_id: 'BK-1' }),
  'added metadata': patch({ metadata: { booking: 'BK-1' } }),
  'removed metadata': patch({ metadata: { unit: null } }),
  'the same metadata': patch({ metadata: { unit: '4' } }),
  'the same name': async (id) =>
    updateReservation(scope, id, { guest_name: String((await readReservation(id))?.guest_name) }, null),
  send: (id) => sendReservation(scope, id),
  resend: (id) => resendReservation(scope, id),
  cancel: (id) => cancelReservation(scope, id),
  delete: (id) => deleteReservation(scope, id, null),
  'change of dates': (id) =>
    changeReservationDates(scope, id, { checkin_date: '2030-07-01', checkout_date: '2030-07-05' }),
  'correction of the name': correct({ guest_name: 'Ana Sousa' }),
  'correction of the address': correct({ guest_email: 'sousa@example.com', locale: 'pt-BR' }),
  'correction of the phone': correct({ guest_phone_last4: '0417' }),
  'signature by hand': (id) => markReservationSigned(scope, id),
  'early release': (id) => releaseArrivalDetails(scope, id, { reason: 'At the door', groups: ['wifi'] }),
  'early release of more': (id) => releaseArrivalDetails(scope, id, { reason: 'Still there', groups: ['door_code'] }),
  ignore: (id) => ignoreReservation(scope, id),
  restore: (id) => restoreReservation(scope, id),
  view: look,
  signature: sign,
  'opened mail': openMail,
  'guest’s address': (id) => storeGuestEmailAddressAndSendPacket(scope, id, 'ana@guest.example', 'fr', {}),
  'guest’s reply': (id) => recordGuestReply(scope, id, { kind: 'question', message: 'When?', origin: {} }),
  'settled reply': (id) => markGuestReplyHandled(scope, id),
  'automatic send': work('auto_send', '2030-06-13T16:00:00Z'),
  'first reminder': work('reminder_24h', '2030-06-14T16:00:00Z'),
  'second reminder': work('reminder_2h', '2030-06-15T13:30:00Z'),
  'late alert': work('late_alert', '2030-06-15T16:00:00Z'),
  expiry: work('expire', EXPIRED),
  'legal hold': async (id) => setLegalHold(scope, String((await readReservation(id))?.signature_id), true),
  redaction: async (id) => redactCertificate(scope, String((await readReservation(id))?.signature_id)),
};

const CASES = Object.keys(CHANGES).flatMap((change) => Object.keys(STATES).map((state) => ({ change, state })));
const seen = new Set<string>();

describe('a reservation', () => {
  it.each(selectSampledCases(CASES))(
    'in state $state emits exactly the events of the change $change',
    MATRIX_TEST_OPTIONS,
    async ({ change, state }) => {
      const id = await STATES[state]!();
      const types = await expectEvents(id, () => CHANGES[change]!(id), readReservation, expectedOfReservation);
      for (const type of types) seen.add(type);
    },
  );

  it('emits every event type that these changes can cause', () => {
    if (selectSampledCases(CASES).length < CASES.length) return;
    expect([...seen].sort()).toEqual([
      'reservation.arrival_details_held',
      'reservation.arrival_details_override_released',
      'reservation.arrival_details_released',
      'reservation.arrival_details_viewed',
      'reservation.cancelled',
      'reservation.clicked',
      'reservation.deleted',
      'reservation.expired',
      'reservation.sent',
      'reservation.signed',
      'reservation.updated',
    ]);
  });
});

// --- properties ----------------------------------------------------------------------------------

const found: DomainDnsRecordLookupFunction = async ({ txt_value }) => ({ cname: [], txt: [txt_value] });
const gone: DomainDnsRecordLookupFunction = async () => ({ cname: [], txt: [] });
const DOMAIN = { custom_domain: 'rules.example.com' };

/** For each writable field, a value that differs from the property's current value. */
const VALUES: Omit<Required<PropertyUpdate>, 'test_clock_id'> = {
  name: 'Casa Verde',
  address: 'Rua da Praia 12',
  brand_color: '#0f766e',
  logo_url: 'https://example.com/logo.png',
  subdomain: 'casa-azul',
  custom_domain: 'rules.example.com',
  timezone: 'Europe/Lisbon',
  auto_send_packet: false,
  auto_send_offset_hours: 24,
  auto_reminders: false,
  lat: 1,
  lng: 2,
  city: 'Cascais',
  photo_required: true,
  otp_required: true,
  required_acceptances: ['damage'],
  reply_to_email: 'host@example.com',
  parallel_stays: true,
  embed_origins: ['https://portal.example'],
  metadata: { listing: '7' },
};

const set = (changes: PropertyUpdate) => updateProperty(scope, property_id, changes, null);
const PROPERTY_CHANGES: [string, () => Promise<unknown>][] = [
  ...Object.entries(VALUES).map(([field, value]): [string, () => Promise<unknown>] => [
    field,
    () => set({ [field]: value }),
  ]),
  ['the same name', () => set({ name: 'Casa Azul' })],
  ['no metadata', () => set({ metadata: { listing: null } })],
  ['a proved domain', () => verifyCustomDomain(scope, property_id, found)],
  [
    'a lapsed domain',
    async () => {
      for (let hour = 0; hour < 9; hour += 1) {
        time.advance(3_600_000);
        await lookUpDnsOfDueCustomDomains(gone);
      }
    },
  ],
  ['deletion', () => deleteProperty(scope, property_id, true, null)],
];

describe('a property', () => {
  it.each(PROPERTY_CHANGES)('emits exactly the events of the change: %s', async (name, change) => {
    if (name.includes('domain')) await set(DOMAIN);
    if (name === 'a lapsed domain') await verifyCustomDomain(scope, property_id, found);
    if (name === 'custom_domain') await set({ custom_domain: null });
    await expectEvents(property_id, change, readProperty, expectedOfProperty);
  });

  it('deletes its reservations without events of their own', async () => {
    const id = await insertSent();
    const before = await systemDb().event.count();
    await deleteProperty(scope, property_id, true, null);
    const after = await systemDb().event.findMany({ orderBy: { sequence: 'asc' }, skip: before });
    expect(after.map(({ type, object_id }) => [type, object_id])).toEqual([['property.deleted', property_id]]);
    expect(await readReservation(id)).toBeNull();
  });
});
