import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { convertPacketRowToContent } from '@/modules/packets/serializer';
import { retrieveDefaultPacket, updateDefaultPacket } from '@/modules/packets/service';
import { createReservation } from '@/modules/reservations/service';
import { createSyncSource } from '@/modules/sync-sources/service';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { PropertyCreate } from '../schemas';
import { serializeProperty } from '../serializer';
import { createProperty, retrieveProperty } from '../service';
import { copyPropertyToOtherMode } from './service';

let live: Scope;
let test: Scope;
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  live = await insertTeam('live');
  test = { ...live, mode: 'test' };
});

const SETTINGS = {
  name: 'Casa Azul',
  address: 'Rua da Praia 12',
  city: 'Cascais',
  timezone: 'Europe/Lisbon',
  brand_color: '#0f766e',
  lat: 38.7,
  lng: -9.4,
  logo_url: 'https://pictures.example.com/logo.png',
  auto_send_packet: true,
  auto_send_offset_hours: 48,
  auto_reminders: true,
  photo_required: true,
  otp_required: true,
  parallel_stays: true,
  required_acceptances: ['damage'],
  reply_to_email: 'host@example.com',
  metadata: { pms: '17' },
};
const NAMES = { subdomain: 'casa-azul', custom_domain: 'rules.example.com', embed_origins: ['https://portal.example'] };
const TEXTS = { packet: { en: { subject: 'Hello', intro: 'Please sign.' } } };

async function insertOriginal(scope: Scope): Promise<string> {
  const { id } = await createProperty(scope, PropertyCreate.parse({ ...SETTINGS, ...NAMES }), { mail_texts: TEXTS });
  const changes = {
    currency: 'EUR',
    rules: [{ text: 'No smoking.' }],
    fees: [{ label: 'Late check-out', amount_cents: 5000 }],
    arrival_details: { door_code: '4711#' },
  };
  await updateDefaultPacket(scope, id, changes, { if_match: null, how: 'patch' });
  return id;
}

describe('a copy of a property in the other mode', () => {
  it.each(['live', 'test'] as const)(
    'has the settings, mail texts and house rules of the original in %s mode',
    async (mode) => {
      const [from, to] = mode === 'live' ? [live, test] : [test, live];
      const id = await insertOriginal(from);
      const copied = await copyPropertyToOtherMode(from, id);
      expect(copied.mode).toBe(to.mode);
      const copy = await retrieveProperty(to, copied.copy_id);
      expect(serializeProperty(copy)).toMatchObject(SETTINGS);
      expect(copy.mail_texts).toEqual(TEXTS);
      const packets = [await retrieveDefaultPacket(from, id), await retrieveDefaultPacket(to, copy.id)];
      expect(convertPacketRowToContent(packets[1] as never)).toEqual(convertPacketRowToContent(packets[0] as never));
    },
  );

  it('has no guests, no calendar, and none of the original’s domains and embedding sites', async () => {
    const id = await insertOriginal(live);
    await createReservation(live, {
      ...{ property_id: id, guest_name: 'Ana', guest_email: 'ana@example.com', source: 'direct' },
      ...{ checkin_date: '2031-06-15', checkout_date: '2031-06-18' },
    });
    const feed_url = 'https://calendar.example.com/secret.ics';
    await createSyncSource(live, { property_id: id, kind: 'channel_a_ical', feed_url });
    const { copy_id } = await copyPropertyToOtherMode(live, id);
    expect(serializeProperty(await retrieveProperty(test, copy_id))).toMatchObject({
      ...{ subdomain: null, custom_domain: null, custom_domain_verified_at: null },
      ...{ embed_origins: [], test_clock_id: null },
    });
    expect(await systemDb().reservation.count({ where: { property_id: copy_id } })).toBe(0);
    expect(await systemDb().syncSource.count({ where: { property_id: copy_id } })).toBe(0);
  });

  it('counts against the limit of properties in the other mode', async () => {
    await systemDb().team.update({ where: { id: live.team_id }, data: { plan: 'free' } });
    await createProperty(live, PropertyCreate.parse({ name: 'The only one' }));
    const { id } = await createProperty(test, PropertyCreate.parse({ name: 'Casa Azul' }));
    await expect(copyPropertyToOtherMode(test, id)).rejects.toMatchObject({ code: 'plan_required' });
    expect(await systemDb().property.count({ where: { mode: 'live' } })).toBe(1);
  });
});
