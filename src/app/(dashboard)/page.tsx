import { ARRIVAL_FILTER_NAMES, parseArrivalDaysFilter } from '@/dashboard/home/arrivals';
import { HomePage } from '@/dashboard/home/home';
import {
  buildArrivalListInput,
  buildAttentionReservationListInput,
  CALENDARS_INPUT,
  DOUBLE_BOOKINGS_INPUT,
  PROPERTIES_INPUT,
  RESERVATION_ATTENTION_REASONS,
} from '@/dashboard/initial-queries';
import { readFilterParams } from '@/dashboard/list/cursor';
import { parseStatusFilter } from '@/dashboard/reservations/list/filters';
import { getIsoDateInTimeZone } from '@/dashboard/ui/zone';
import { clock } from '@/shared/clock';
import { createTitleMetadata, ServerTranslationsProvider } from '../server-translations';
import { QueryPrefetchBoundary, readSearchParams, type SearchParamsPromise } from './prefetched';

export const generateMetadata = createTitleMetadata('home');

export default async function Page(page: { searchParams: SearchParamsPromise }) {
  const { status, property, days } = readFilterParams(await readSearchParams(page), ARRIVAL_FILTER_NAMES);
  return (
    <ServerTranslationsProvider of={['home', 'reservations', 'double_booking']}>
      <QueryPrefetchBoundary
        queries={(trpc, zone) => {
          const today = getIsoDateInTimeZone(clock().now(), zone);
          return [
            trpc.reservations.list.queryOptions(
              buildArrivalListInput(
                { status: parseStatusFilter(status), property, days: parseArrivalDaysFilter(days) },
                today,
              ),
            ),
            ...RESERVATION_ATTENTION_REASONS.map((attention) =>
              trpc.reservations.list.queryOptions(buildAttentionReservationListInput(attention, today)),
            ),
            trpc.reservations.list.queryOptions(DOUBLE_BOOKINGS_INPUT),
            trpc.sync_sources.list.queryOptions(CALENDARS_INPUT),
            trpc.webhook_endpoints.list.queryOptions({}),
            trpc.properties.list.queryOptions(PROPERTIES_INPUT),
            trpc.home.first_steps.queryOptions(),
            trpc.home.activity.queryOptions({ timezone: zone }),
            trpc.accounts.saved_views.queryOptions(),
          ];
        }}
      >
        <HomePage />
      </QueryPrefetchBoundary>
    </ServerTranslationsProvider>
  );
}
