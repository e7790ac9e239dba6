/**
 * Tests which guests a change of a fee affects: guests who have the link, and guests who signed the
 * previous text.
 */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { signAsGuest } from '@/modules/certificates/testing/signed';
import { normalizePacketItemName } from '@/modules/packets/change-item/item.rules';
import { createPacket, retrieveDefaultPacket, updatePacket } from '@/modules/packets/service';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { markReservationSigned } from './host.service';
import { findGuestsAffectedByPacketItemChange } from './item-guests';
import { sendReservation } from './send';
import { createReservation } from './service';

const LATE = { kind: 'fee' as const, key: normalizePacketItemName('Late check-out') };
let scope: Scope;
let property_id: string;
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  installFakeClock('2026-06-20T10:00:00Z');
  scope = await insertTeam();
  property_id = await insertHouse(scope);
});
afterEach(() => setClock(null));

async function insertHouse(owner: Scope): Promise<string> {
  const { id } = await createProperty(owner, PropertyCreate.parse({ name: 'Casa Azul' }));
  const packet = await retrieveDefaultPacket(owner, id);
  const fees = [{ label: 'Late check-out', amount_cents: 5000, unit: null, description: null, type: null }];
  await updatePacket(owner, packet.id, { fees } as never, { if_match: null });
  return id;
}

async function insertStay(guest_name: string, checkin_date: string, send = true, packet_id?: string) {
  const { row } = await createReservation(scope, {
    ...{
      property_id,
      guest_name,
      checkin_date,
      source: 'direct',
      guest_email: `${guest_name.toLowerCase()}@example.com`,
    },
    ...{ checkout_date: checkin_date.replace(/..$/, '28'), packet_id },
  });
  if (send) await sendReservation(scope, row.id);
  return row.id;
}

const found = async (owner = scope) =>
  (await findGuestsAffectedByPacketItemChange(owner, LATE)).data.map(
    ({ guest_name, signed }) => `${guest_name}${signed ? ', signed' : ''}`,
  );

it('guests of an item include those who have the link or signed, the next arrival first', async () => {
  await insertStay('Later', '2026-08-01');
  await insertStay('Sooner', '2026-07-01');
  await insertStay('Draft', '2026-07-02', false);
  await markReservationSigned(scope, await insertStay('Paper', '2026-07-03'));
  await signAsGuest(scope, await insertStay('Signer', '2026-07-06'));
  const default_packet = await retrieveDefaultPacket(scope, property_id);
  const other = await createPacket(scope, property_id, { name: 'Without it' });
  await insertStay('Other', '2026-07-04', true, other.id);
  const winter = await createPacket(scope, property_id, { name: 'Winter', copy_from: default_packet.id });
  await insertStay('Winter', '2026-07-05', true, winter.id);
  expect(await found()).toEqual(['Sooner', 'Winter', 'Signer, signed', 'Later']);
  const { data } = await findGuestsAffectedByPacketItemChange(scope, LATE);
  expect(data.map(({ packet_id }) => packet_id)).toEqual([
    ...[default_packet.id, winter.id, default_packet.id, default_packet.id],
  ]);
  expect(
    await findGuestsAffectedByPacketItemChange(scope, { kind: 'fee', key: normalizePacketItemName('Dog') }),
  ).toEqual({
    data: [],
    has_more: false,
  });
});

it('guests of an item exclude past stays and other teams’ guests', async () => {
  const id = await insertStay('Gone', '2026-07-01');
  await systemDb().reservation.update({
    where: { id },
    data: { checkin_date: new Date('2026-06-10'), checkout_date: new Date('2026-06-18') },
  });
  await insertStay('Here', '2026-07-01');
  expect(await found()).toEqual(['Here']);
  const other = await insertTeam('live', 'other@example.com');
  await insertHouse(other);
  expect(await found(other)).toEqual([]);
});
