/**
 * Tests that the guest's details can be corrected after the packet was sent, until the guest signs.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { deriveLinkToken } from '@/modules/links/urls';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { findReservationByLink } from '@/modules/signing/open-link';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { suppressEmailAddress } from '@/testing/mail';
import { clearDatabase, insertTeam } from '@/testing/team';
import { markReservationSigned } from './host.service';
import { correctGuestAndMailUpdatedPacket, sendReservation } from './send';
import { createReservation, retrieveGuestLinks, updateReservation } from './service';
import { listTimelineEntriesForHost } from './timeline.service';

let scope: Scope;
let id: string;
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  scope = await insertTeam();
  const property = await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }));
  const { row } = await createReservation(scope, {
    property_id: property.id,
    guest_name: 'Ana',
    guest_email: 'ana@exmaple.com',
    checkin_date: '2031-06-15',
    checkout_date: '2031-06-18',
    source: 'direct',
  });
  id = row.id;
  await sendReservation(scope, id);
});

const RIGHT = { guest_name: 'Ana Sousa', guest_email: 'ana@example.com', locale: 'pt-BR' };
const packets = () =>
  systemDb().mailMessage.findMany({ where: { template: 'packet' }, orderBy: { id: 'asc' }, select: { to: true } });
const trail = () =>
  systemDb().trailEntry.findMany({
    where: { reservation_id: id },
    orderBy: { seq: 'asc' },
    select: { type: true, data: true },
  });
const events = async () =>
  (await systemDb().event.findMany({ where: { object_id: id }, orderBy: { sequence: 'asc' } })).map(({ type }) => type);

describe('a corrected guest', () => {
  it('receives a new link at the new address, and the old link is marked as replaced', async () => {
    const old_link = deriveLinkToken('signing', id, 1);
    const { row } = await correctGuestAndMailUpdatedPacket(scope, id, RIGHT);
    expect(row).toMatchObject({ ...RIGHT, status: 'sent' });
    expect((await packets()).map(({ to }) => to)).toEqual(['ana@exmaple.com', 'ana@example.com']);
    expect(await findReservationByLink(old_link)).toMatchObject({ kind: 'replaced' });
    const { signingUrl } = await retrieveGuestLinks(scope, id);
    expect(await findReservationByLink(signingUrl?.split('/').at(-1) ?? '')).toMatchObject({
      kind: 'current',
      state: 'open',
    });
    expect(await events()).toEqual([
      'reservation.created',
      'reservation.sent',
      'reservation.updated',
      'reservation.sent',
    ]);
  });

  it('has the old and the new values recorded in the trail before the new send', async () => {
    await correctGuestAndMailUpdatedPacket(scope, id, RIGHT);
    const [, , corrected, sent] = await trail();
    expect(corrected).toEqual({
      type: 'guest.corrected',
      data: {
        fields: ['guest_name', 'guest_email', 'locale'],
        values: {
          guest_name: { from: 'Ana', to: 'Ana Sousa' },
          guest_email: { from: 'ana@exmaple.com', to: 'ana@example.com' },
          locale: { from: null, to: 'pt-BR' },
        },
      },
    });
    expect(sent).toMatchObject({ type: 'reservation.sent', data: { to: 'ana@example.com' } });
    expect((await listTimelineEntriesForHost(scope, id)).map(({ note }) => note)).toContain(
      'Ana → Ana Sousa · ana@exmaple.com → ana@example.com · – → pt-BR',
    );
  });

  it('is corrected once for repeated requests, and not again to the same values', async () => {
    await Promise.all([
      correctGuestAndMailUpdatedPacket(scope, id, RIGHT),
      correctGuestAndMailUpdatedPacket(scope, id, RIGHT),
    ]);
    await correctGuestAndMailUpdatedPacket(scope, id, RIGHT);
    expect(await packets()).toHaveLength(2);
    expect((await trail()).filter(({ type }) => type === 'guest.corrected')).toHaveLength(1);
  });

  it('with a relay address loses the relay mark when the address changes', async () => {
    await systemDb().reservation.updateMany({ data: { guest_email_relay: true } });
    await correctGuestAndMailUpdatedPacket(scope, id, { guest_name: 'Ana Sousa' });
    expect(await systemDb().reservation.findMany()).toMatchObject([{ guest_email_relay: true }]);
    const { row } = await correctGuestAndMailUpdatedPacket(scope, id, { guest_email: 'ana@example.com' });
    expect(row.guest_email_relay).toBe(false);
  });

  it('stays unchanged and receives no mail when the correction is refused', async () => {
    const refused = (given: object, error: object) =>
      expect(correctGuestAndMailUpdatedPacket(scope, id, given)).rejects.toMatchObject(error);
    await suppressEmailAddress('ana@example.com');
    await refused(RIGHT, { code: 'address_suppressed', param: 'guest_email' });
    await refused({ guest_email: `unknown+${id}@guest.invalid` }, { code: 'invalid_field', param: 'guest_email' });
    const other = await insertTeam('live', 'other@example.com');
    await expect(correctGuestAndMailUpdatedPacket(other, id, RIGHT)).rejects.toMatchObject({
      code: 'resource_missing',
    });
    await markReservationSigned(scope, id);
    await refused(RIGHT, { code: 'reservation_already_signed' });
    expect(await packets()).toHaveLength(1);
    expect(await systemDb().reservation.findMany()).toMatchObject([
      { guest_name: 'Ana', guest_email: 'ana@exmaple.com' },
    ]);
  });

  it('is corrected through the call that the error of a refused PATCH names', async () => {
    const patched = updateReservation(scope, id, { guest_name: 'Ana Sousa' }, null);
    await expect(patched).rejects.toMatchObject({ code: 'reservation_not_editable' });
    await expect(patched).rejects.toThrow('correct-guest');
  });
});
