/**
 * Sets up calendar tests: an empty database, a team with a property in Madrid, and a calendar
 * server.
 */
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { installFakeClock } from '@/testing/clock';
import { clearDatabase, insertTeam } from '@/testing/team';
import { type FeedStay, renderBookingDescription, startFeedServer } from './feed-server';

/** The time at which the test starts. */
const BEGIN = '2026-05-01T10:00:00Z';

/** Sets up one test. The caller must reset the clock and close the server. */
export async function openCalendarTestContext() {
  await clearDatabase();
  const time = installFakeClock(BEGIN);
  const scope = await insertTeam();
  const feed = await startFeedServer();
  const property = PropertyCreate.parse({ name: 'Casa Azul', timezone: 'Europe/Madrid' });
  return { time, scope, feed, property_id: (await createProperty(scope, property)).id };
}

/** Two stays in the future. */
export const FEED_STAY_OF_GUEST_ANA: FeedStay = {
  uid: 'ana@a',
  from: '2026-06-10',
  to: '2026-06-14',
  description: renderBookingDescription('HMANA00001'),
};
export const FEED_STAY_OF_GUEST_BEN: FeedStay = {
  uid: 'ben@a',
  from: '2026-07-10',
  to: '2026-07-14',
  description: renderBookingDescription('HMBEN00001', '9876'),
};
