/**
 * Triggers an event in test mode by performing the action that causes it. Its ids therefore exist
 * and its data is real.
 */
import type { Threshold } from '@threshold/client';
import { openAsGuest, signAsGuest } from './guest.js';
import { Failure } from './usage.js';

const DAY_MS = 86_400_000;
const day = (ahead: number) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10);

const property = (client: Threshold) => client.properties.create({ name: 'Made by threshold trigger' });

/** Creates a reservation with a door code that is withheld until the guest has signed. */
async function withheld(client: Threshold): Promise<string> {
  const { id } = await property(client);
  await client.packets.updateDefault(id, {
    rules: [{ text: 'No smoking.' }],
    arrival_details: { door_code: '4711' },
    arrival_release: { door_code: 'after_signing' },
  });
  return id;
}

async function reservation(client: Threshold, property_id?: string): Promise<string> {
  const made = await client.reservations.create({
    property_id: property_id ?? (await property(client)).id,
    guest_name: 'Ada Lovelace',
    guest_email: 'ada@example.com',
    checkin_date: day(7),
    checkout_date: day(10),
  });
  return made.id;
}

async function sent(client: Threshold, property_id?: string): Promise<string> {
  const id = await reservation(client, property_id);
  await client.reservations.send(id);
  return id;
}

async function signed(client: Threshold, property_id?: string): Promise<string> {
  const id = await sent(client, property_id);
  await signAsGuest(client, id, 'Ada Lovelace');
  return id;
}

/** Actions by event type. Each returns the id of the event's object. */
export const TRIGGERS: Readonly<Record<string, (client: Threshold) => Promise<string>>> = {
  'property.created': async (client) => (await property(client)).id,
  'property.updated': async (client) => {
    const { id } = await property(client);
    return (await client.properties.update(id, { city: 'Cascais' })).id;
  },
  'property.deleted': async (client) => {
    const { id } = await property(client);
    await client.properties.delete(id);
    return id;
  },
  'packet.updated': withheld,
  'reservation.created': (client) => reservation(client),
  'reservation.updated': async (client) => {
    const id = await reservation(client);
    return (await client.reservations.update(id, { guest_name: 'Ada King' })).id;
  },
  'reservation.deleted': async (client) => {
    const id = await reservation(client);
    await client.reservations.delete(id);
    return id;
  },
  'reservation.sent': (client) => sent(client),
  'reservation.clicked': async (client) => {
    const id = await sent(client);
    await openAsGuest(client, id);
    return id;
  },
  'reservation.signed': (client) => signed(client),
  'reservation.cancelled': async (client) => (await client.reservations.cancel(await sent(client))).id,
  'reservation.arrival_details_held': async (client) => {
    const id = await sent(client, await withheld(client));
    await openAsGuest(client, id);
    return id;
  },
  'reservation.arrival_details_released': async (client) => signed(client, await withheld(client)),
  'reservation.arrival_details_viewed': async (client) => {
    const id = await signed(client, await withheld(client));
    await openAsGuest(client, id);
    return id;
  },
  'certificate.created': (client) => signed(client),
};

/** Event types that the command cannot trigger, with the reason. */
export const NOT_TRIGGERED: Readonly<Record<string, string>> = {
  'reservation.expired': 'advance a test clock beyond the end of a stay (threshold clocks advance <id>)',
  'reservation.arrival_details_override_released': 'only a host can cause it, in the dashboard',
  'sync_source.created': 'only a host can cause it, in the dashboard',
  'sync_source.updated': 'only a host can cause it, in the dashboard',
  'sync_source.run.completed': 'sync one of your calendars instead (threshold sync-sources run <id>)',
};

/**
 * Triggers an event of the type. Throws Failure for an event type that the command cannot trigger.
 */
export async function trigger(client: Threshold, type: string): Promise<string> {
  const act = TRIGGERS[type];
  if (act) return act(client);
  const why = NOT_TRIGGERED[type];
  if (why) throw new Failure(`${type} cannot be triggered from the command line: ${why}.`);
  throw new Failure(`There is no event ${type}. Events that can be triggered: ${Object.keys(TRIGGERS).join(', ')}`);
}
