/** A calendar before it is connected: fetched, read and counted, nothing stored. */

import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import { localDate, zoneOrUtc } from '@/shared/zoned-time';
import type { FeedPreviewInput, FeedPreviewResult } from './host.schemas';
import { decideEntries, previewEntries } from './plan/entries';
import { guestNameOf } from './plan/guest-identity';
import { readCalendar } from './read-calendar';
import * as repository from './repository';
import { fetchFeed } from './run/fetch-feed';
import { assertNotConnected, feedAddress } from './service';

const SHOWN = 3;

/**
 * "14 bookings, 3 blocks, next arrival 12 May"; a calendar that cannot be read is an answer with the reason.
 * Throws resource_missing, url_not_https, url_not_allowed, invalid_field (already connected).
 */
export async function previewFeed(scope: Scope, input: FeedPreviewInput): Promise<FeedPreviewResult> {
  const property = await repository.findProperty(scope, input.property_id);
  if (!property) {
    const message = `There is no property ${input.property_id}.`;
    throw new AppError('resource_missing', { message, param: 'property_id' });
  }
  const url = feedAddress(input.feed_url);
  await assertNotConnected(scope, property.id, url);
  const fetched = await fetchFeed(url, null);
  if (fetched.kind === 'failed') return refused(fetched.outcome.last_error);
  if (fetched.kind === 'not_modified') return refused(null);
  const time_zone = zoneOrUtc(property.timezone);
  const today = localDate(clock().now(), time_zone);
  const { bytes, content_type } = fetched;
  const opened = await readCalendar({ bytes, content_type, context: { kind: input.kind, time_zone, today } });
  if (!opened.ok) return refused(opened.message);
  const { feed } = opened;
  const { closures_are_blocks } = input;
  const decisions = decideEntries({ feed, closures_are_blocks, marks: [], today });
  const ahead = decisions.bookings.filter((entry) => entry.checkout_date > today);
  return {
    ok: true,
    ...previewEntries(decisions, today),
    unknown: decisions.skipped.filter(({ reason }) => reason === 'unknown_words').length,
    problems: feed.problems.length,
    whole: feed.whole,
    first: ahead.slice(0, SHOWN).map((entry) => ({
      guest_name: guestNameOf(entry),
      checkin_date: entry.checkin_date,
      checkout_date: entry.checkout_date,
    })),
  };
}

const refused = (message: string | null): FeedPreviewResult => ({
  ok: false,
  message: message ?? 'The calendar could not be read.',
});
