/**
 * Checks the conditions that must hold after a chaos run (chaos-run.ts). Each check returns
 * descriptions of violations.
 */

import type { Random } from '@/testing/random';
import { verifyAuditTrailHashes } from '../../scripts/demo/checks';
import type { AcknowledgedBooking } from './acknowledged-writes';
import { type ChaosContext, OWNER_EMAIL } from './chaos-context';
import type { FlappingReceiver } from './flapping-receiver';
import { createRetryingPartnerClient, type RetryingPartnerClient } from './retrying-client';
import type { StoredChaosData, StoredEvent } from './stored-data';

/**
 * The order of the steps in a reservation's life. Only steps in `repeats` may occur more than once.
 */
const ORDER = [
  'reservation.created',
  'reservation.sent',
  'reservation.clicked',
  'reservation.arrival_details_held',
  'reservation.signed',
  'reservation.arrival_details_released',
  'reservation.arrival_details_viewed',
];
const REPEATS = new Set(['reservation.sent']);

/** Returns the event type for a step of the timeline. */
const eventTypeOf = (type: string) => (type === 'reservation.opened' ? 'reservation.updated' : type);

/**
 * Checks over `/v1` that every acknowledged write can be read, and that every timeline records it
 * in order.
 */
export async function findLostAcknowledgedWritesOverApi(
  chaos: ChaosContext,
  random: Random,
  stored: StoredChaosData,
): Promise<string[]> {
  const partner = createRetryingPartnerClient(chaos.target, random, chaos.api_key);
  const wrong: string[] = [];
  for (const booking of chaos.ledger.bookings.values()) {
    const events = stored.events.filter(({ object_id }) => object_id === booking.id);
    wrong.push(...(await checkBooking(partner, booking, events)));
  }
  for (const [property, welcome] of chaos.ledger.welcome) {
    const packet = await partner.must('GET', `/properties/${property}/packet`);
    if (packet.welcome_message !== welcome) wrong.push(`the packet of ${property} lost an acknowledged edit`);
  }
  return wrong;
}

async function checkBooking(
  partner: RetryingPartnerClient,
  booking: AcknowledgedBooking,
  events: StoredEvent[],
): Promise<string[]> {
  const path = `/reservations/${booking.id}`;
  const { status, body } = await partner.call('GET', path);
  if (status !== 200) return [`${booking.id} was acknowledged and is not there: ${status}`];
  const wrong: string[] = [];
  const expect = (holds: boolean, what: string) => void (holds || wrong.push(`${booking.id}: ${what}`));
  const { guest_email, guest_name, checkin_date, signed, cancelled, sends } = booking;
  expect(body.guest_email === guest_email, 'another address');
  expect(body.guest_name === guest_name, `an acknowledged name was lost: ${body.guest_name}`);
  expect(body.checkin_date === checkin_date, 'another date');
  if (signed) expect(body.status === 'signed', `the guest was told that it is signed; it is ${body.status}`);
  if (cancelled) expect(body.status === 'ignored', `the cancellation was acknowledged; it is ${body.status}`);
  if (sends > 0) expect(body.sent_at !== null, 'it was sent and has no time of it');

  const timeline: { type: string; created_at: string }[] = (await partner.must('GET', `${path}/events`)).data;
  const types = timeline.map(({ type }) => type);
  expect(isSorted(timeline.map(({ created_at }) => created_at)), 'the timeline is not in the order of time');
  expect(inOrder(types), `the timeline is out of order: ${types.join(', ')}`);
  expect(count(types, 'reservation.created') === 1, 'the timeline does not begin once');
  expect(count(types, 'reservation.sent') === sends, `${sends} sends were acknowledged: ${types.join(', ')}`);
  expect(count(types, 'reservation.signed') === (body.status === 'signed' ? 1 : 0), 'signed is not there once');
  expect(count(types, 'reservation.cancelled') === (cancelled ? 1 : 0), 'cancelled is not there once');
  // The timeline must contain the steps of the webhook events in the same order.
  const told = events.map(({ type }) => type);
  expect(inOrder(told), `the events' sequence is out of order: ${told.join(', ')}`);
  const public_types = new Set([...told, 'reservation.updated']);
  expect(
    types
      .map(eventTypeOf)
      .filter((type) => public_types.has(type))
      .join() === told.join(),
    `timeline and events differ: ${types.join(', ')} / ${told.join(', ')}`,
  );

  const signature = events.find(({ type }) => type === 'reservation.signed');
  if (signature) {
    const { certificate_id } = JSON.parse(signature.body).data;
    const certificate = await partner.must('GET', `/certificates/${certificate_id}`);
    expect(certificate.pdf_available === true, 'the certificate has no PDF');
    try {
      verifyAuditTrailHashes(certificate.audit_trail, certificate.content_hash);
    } catch (error) {
      wrong.push(`${booking.id}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return wrong;
}

/** Checks the database, the receivers and the mail provider. */
export function checkStoredChaosData(chaos: ChaosContext, stored: StoredChaosData): string[] {
  const wrong: string[] = [...chaos.provider.violations];
  for (const [what, left] of Object.entries(stored.unfinished)) if (left > 0) wrong.push(`${left} ${what}`);
  for (const { function_id, error } of stored.failed_runs) wrong.push(`a run of ${function_id} failed: ${error}`);
  for (const { url, status } of stored.endpoints) if (status !== 'enabled') wrong.push(`${url} is ${status}`);
  for (const [email, rows] of stored.reservations) {
    if (rows.length > 1) wrong.push(`one create made ${rows.length} reservations for ${email}`);
    if (!chaos.ledger.ofGuest(email)) wrong.push(`nobody was told of the reservation for ${email}`);
  }
  stored.events.forEach(({ id, sequence }, index) => {
    if (sequence !== index + 1) wrong.push(`${id} has sequence ${sequence} and is number ${index + 1}`);
  });
  wrong.push(...checkCertificates(stored), ...checkMail(chaos, stored));
  for (const receiver of chaos.receivers) wrong.push(...checkReceiver(receiver, stored.events));
  return wrong;
}

function checkCertificates({ events }: StoredChaosData): string[] {
  const created = events.filter(({ type }) => type === 'certificate.created').map(({ object_id }) => object_id);
  return created.length === new Set(created).size ? [] : ['a certificate was created twice'];
}

/**
 * Checks three conditions: one send caused one mail, the mail of the newest send was sent unless
 * the reservation changed before, and each signer got one copy after sealing.
 */
function checkMail({ provider, ledger }: ChaosContext, { mails, reservations }: StoredChaosData): string[] {
  const wrong: string[] = [];
  for (const { to } of provider.sent) {
    if (to !== OWNER_EMAIL && !ledger.ofGuest(to)) wrong.push(`a mail went to ${to}, whom nobody booked`);
  }
  for (const booking of ledger.bookings.values()) {
    const of_booking = mails.filter(({ reservation_id }) => reservation_id === booking.id);
    const copies = of_booking.filter(({ template }) => template === 'signed_copy');
    const isCopy = (key: string) => copies.some(({ id }) => id === key);
    const to_guest = provider.sent.filter(({ to }) => to === booking.guest_email);
    const got = to_guest.filter(({ key }) => !isCopy(key));
    const got_copies = to_guest.filter(({ key }) => isCopy(key)).length;
    const sealed = reservations.get(booking.guest_email)?.[0]?.certificate_id ? 1 : 0;
    if (copies.length !== sealed || got_copies !== sealed)
      wrong.push(`${booking.guest_email} got ${got_copies} of ${copies.length} copies for ${sealed} certificates`);
    const links = got.map(({ text }) => /\/sign\/[A-Za-z0-9_-]+/.exec(text)?.[0]);
    if (new Set(links).size !== got.length) wrong.push(`${booking.guest_email} got the same link in two mails`);
    if (got.length > booking.sends)
      wrong.push(`${booking.guest_email} got ${got.length} mails for ${booking.sends} sends`);
    const rows = of_booking.filter(({ id }) => !isCopy(id));
    if (rows.length !== booking.sends) wrong.push(`${booking.id}: ${rows.length} mails for ${booking.sends} sends`);
    const waits = ['sent', 'opened', 'clicked'].includes(reservations.get(booking.guest_email)?.[0]?.status ?? '');
    const newest = rows.at(-1);
    if (waits && newest && !got.some(({ key }) => key === newest.id)) {
      wrong.push(`${booking.guest_email} never got the mail of the last send (${newest.status})`);
    }
  }
  return wrong;
}

/**
 * Checks that the receiver accepted every event, and that every request to it was a correctly
 * signed event with identical bytes.
 */
function checkReceiver(receiver: FlappingReceiver, events: readonly StoredEvent[]): string[] {
  const wrong: string[] = [];
  const stored = new Map(events.map((event) => [event.id, event]));
  const accepted = new Set<string>();
  const attempts = new Map<string, string>();
  for (const arrival of receiver.arrivals) {
    const event = stored.get(arrival.event_id);
    if (!event) wrong.push(`${receiver.name} got ${arrival.event_id}, which never was`);
    else if (arrival.body !== event.body) wrong.push(`${receiver.name} got other bytes of ${event.id}`);
    if (JSON.parse(arrival.body).id !== arrival.event_id) wrong.push(`${arrival.event_id} has another id in its body`);
    if (!arrival.verified) wrong.push(`${receiver.name} got ${arrival.event_id} with a signature that does not hold`);
    const attempt = `${arrival.event_id} attempt ${arrival.attempt}`;
    if ((attempts.get(arrival.delivery_id) ?? attempt) !== attempt) {
      wrong.push(`${arrival.delivery_id} stands for two attempts`);
    }
    attempts.set(arrival.delivery_id, attempt);
    if (arrival.accepted) accepted.add(arrival.event_id);
  }
  for (const { id, type } of events)
    if (!accepted.has(id)) wrong.push(`${receiver.name} never accepted ${id} (${type})`);
  return wrong;
}

const count = (types: readonly string[], type: string) => types.filter((one) => one === type).length;

const isSorted = (values: readonly string[]) =>
  values.every((value, index) => index === 0 || values[index - 1]! <= value);

/**
 * Returns whether the steps follow the order of a reservation's life. Resending does not start the
 * order again.
 */
function inOrder(types: readonly string[]): boolean {
  let furthest = -1;
  for (const type of types) {
    const place = ORDER.indexOf(type);
    if (place < 0 || REPEATS.has(type)) {
      if (type === 'reservation.sent' && furthest < 0) return false;
      continue;
    }
    if (place <= furthest) return false;
    furthest = place;
  }
  return true;
}
