import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { runSyncOfSource } from '@/modules/sync-sources/run/run';
import { createSyncSource } from '@/modules/sync-sources/service';
import {
  type FeedServer,
  renderBookingDescription,
  renderTestCalendarFeed,
  startFeedServer,
} from '@/modules/sync-sources/testing/feed-server';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { receiveMail } from '../receive';

export let scope: Scope;
export let fakeClock: FakeClock;
export let feedServer: FeedServer;
export let property_id: string;
export let source_id: string;
export let forwarding_address: string;

/** Sets up a team with a forwarding address before each test of the calling file. */
export function setUpForwardedMailTests(): void {
  beforeAll(openTestDatabase);
  afterAll(closeTestDatabase);
  beforeEach(async () => {
    setConfig({
      inbound_domain: 'in.threshold.example',
      inbound_secret: 'the-inbound-secret',
      inbound_authserv_id: 'mx.threshold.example',
      mail_from: 'Threshold <no-reply@threshold.example>',
      resend_inbound_webhook_secret: undefined,
      resend_api_key: undefined,
    });
    await clearDatabase();
    fakeClock = installFakeClock('2026-05-01T12:00:00Z');
    scope = await insertTeam();
    feedServer = await startFeedServer();
    property_id = (await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }))).id;
    const source = await createSyncSource(scope, { property_id, kind: 'forward_email' });
    source_id = source.id;
    forwarding_address = `${source.inbound_token}@in.threshold.example`;
  });
  afterEach(async () => {
    setClock(null);
    await feedServer.close();
  });
}

export const getTestDb = () => systemDb();
export const readFixtureMail = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../fixtures/mail/${name}.eml`, import.meta.url)));
export const receiveFixtureMail = async (name: string) =>
  (await receiveMail(readFixtureMail(name), [forwarding_address]))[0]?.outcome;
export const listInboundMails = () => getTestDb().inboundMail.findMany({ orderBy: { id: 'asc' } });
export const listReservations = () => getTestDb().reservation.findMany({ orderBy: { id: 'asc' } });
export const parseDayAsUtcMidnight = (text: string) => new Date(`${text}T00:00:00Z`);
export const listTrailEntryTypesOfReservation = async (id: string) =>
  (await getTestDb().trailEntry.findMany({ where: { reservation_id: id }, orderBy: { seq: 'asc' } })).map(
    ({ type }) => type,
  );

export async function syncCalendarWithOneBooking(
  from: string,
  to: string,
  code: string,
  kind: 'channel_a_ical' | 'channel_b_ical' = 'channel_a_ical',
) {
  feedServer.serve(renderTestCalendarFeed([{ uid: 'u1@a', from, to, description: renderBookingDescription(code) }]));
  const { id } = await createSyncSource(scope, { property_id, kind, feed_url: feedServer.url });
  await runSyncOfSource(scope, id, 'forced');
  return id;
}
