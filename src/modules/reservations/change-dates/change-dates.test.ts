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
import { markReservationSigned, retrieveReservationForHost } from '../host.service';
import { correctGuestAndMailUpdatedPacket, sendReservation } from '../send';
import { createReservation, retrieveGuestLinks } from '../service';
import { changeReservationDates } from './service';

let scope: Scope;
let id: string;
const NEW = { checkin_date: '2031-07-01', checkout_date: '2031-07-05' };
beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  scope = await insertTeam();
  const property = await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }));
  const { row } = await createReservation(scope, {
    property_id: property.id,
    guest_name: 'Ana',
    guest_email: 'ana@example.com',
    locale: 'pt-BR',
    external_id: 'HM1',
    checkin_date: '2031-06-15',
    checkout_date: '2031-06-18',
    source: 'channel_a',
  });
  id = row.id;
  await sendReservation(scope, id);
});

const events = async () =>
  (await systemDb().event.findMany({ orderBy: { sequence: 'asc' } })).map(({ type, object_id }) => [type, object_id]);
const trail = async (reservation_id: string) =>
  (await systemDb().trailEntry.findMany({ where: { reservation_id }, orderBy: { seq: 'asc' } })).map(
    ({ type }) => type,
  );

it.each([0, 1, 2, 3, 5, 8, 12, 20])(
  'dates changed %i ms before the guest’s address is corrected never lead to a mail to the wrong address',
  async (ms) => {
    const right = { guest_name: 'Ana Sousa', guest_email: 'ana.sousa@example.com' };
    const correct = async () => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      return correctGuestAndMailUpdatedPacket(scope, id, right);
    };
    const [changed, corrected] = await Promise.allSettled([changeReservationDates(scope, id, NEW), correct()]);
    // Whichever change wins, the new dates are never sent to the old address.
    const rows = await systemDb().reservation.findMany({ where: { status: 'sent' } });
    expect(rows).toHaveLength(1);
    if (corrected.status === 'fulfilled') expect(rows).toMatchObject([right]);
    else expect(changed.status).toBe('fulfilled');
  },
);

describe('the dates of a sent reservation', () => {
  it('creates a reservation, cancels the old one and sends the new one', async () => {
    const before = await events();
    const { row } = await changeReservationDates(scope, id, NEW);
    expect(await retrieveReservationForHost(scope, row.id)).toMatchObject({
      ...NEW,
      ...{ status: 'sent', guest_name: 'Ana', guest_email: 'ana@example.com', locale: 'pt-BR' },
      ...{ external_id: 'HM1', source: 'channel_a' },
    });
    expect(await retrieveReservationForHost(scope, id)).toMatchObject({ status: 'ignored', cancel_reason: 'host' });
    expect((await events()).slice(before.length)).toEqual([
      ['reservation.created', row.id],
      ['reservation.cancelled', id],
      ['reservation.sent', row.id],
    ]);
    expect(await trail(id)).toEqual([
      'reservation.created',
      'reservation.sent',
      'reservation.cancelled',
      'reservation.replaced',
    ]);
    expect(await trail(row.id)).toEqual(['reservation.created', 'reservation.sent']);
    const mails = await systemDb().mailMessage.findMany({ where: { reservation_id: row.id } });
    expect(mails).toMatchObject([{ template: 'packet', to: 'ana@example.com' }]);
  });

  it('marks the old link as replaced and opens the new one', async () => {
    const old_link = deriveLinkToken('signing', id, 1);
    expect(await findReservationByLink(old_link)).toMatchObject({ kind: 'current', state: 'open' });
    const { row } = await changeReservationDates(scope, id, NEW);
    expect(await findReservationByLink(old_link)).toMatchObject({ kind: 'replaced' });
    const { signingUrl } = await retrieveGuestLinks(scope, row.id);
    const opened = await findReservationByLink(signingUrl?.split('/').at(-1) ?? '');
    expect(opened).toMatchObject({ kind: 'current', state: 'open', loaded: { row: { id: row.id } } });
    expect((await retrieveGuestLinks(scope, id)).signingUrl).toBeNull();
  });

  it('creates one reservation for repeated calls', async () => {
    const both = await Promise.allSettled([
      changeReservationDates(scope, id, NEW),
      changeReservationDates(scope, id, NEW),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(changeReservationDates(scope, id, NEW)).rejects.toMatchObject({ code: 'reservation_cancelled' });
    expect(await systemDb().reservation.count()).toBe(2);
    expect(await systemDb().mailMessage.count({ where: { template: 'packet' } })).toBe(2);
  });

  it('changes nothing and sends no mail when it is refused', async () => {
    const refused = (code: string) => expect(changeReservationDates(scope, id, NEW)).rejects.toMatchObject({ code });
    await expect(changeReservationDates(scope, id, { ...NEW, checkout_date: '2031-07-01' })).rejects.toMatchObject({
      code: 'invalid_date_range',
    });
    await expect(
      changeReservationDates(scope, id, { checkin_date: '2020-01-01', checkout_date: '2020-01-02' }),
    ).rejects.toMatchObject({ code: 'stay_ended' });
    await suppressEmailAddress('ana@example.com');
    await refused('address_suppressed');
    await systemDb().mailSuppression.deleteMany({});
    await markReservationSigned(scope, id);
    await refused('reservation_already_signed');
    expect(await systemDb().reservation.findMany({})).toMatchObject([{ id, status: 'signed' }]);
    expect(await systemDb().mailMessage.count()).toBe(1);
    const other = await insertTeam('live', 'other@example.com');
    await expect(changeReservationDates(other, id, NEW)).rejects.toMatchObject({ code: 'resource_missing' });
  });
});
