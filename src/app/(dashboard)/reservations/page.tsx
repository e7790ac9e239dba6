import { PROPERTIES_INPUT } from '@/dashboard/initial-queries';
import { readCursorFromUrl, readFilterParams } from '@/dashboard/list/cursor';
import {
  buildReservationListPageInput,
  parseReservationFilters,
  RESERVATION_FILTER_NAMES,
} from '@/dashboard/reservations/list/filters';
import { ReservationList } from '@/dashboard/reservations/list/reservation-list';
import { getIsoDateInTimeZone } from '@/dashboard/ui/zone';
import { clock } from '@/shared/clock';
import { createTitleMetadata, ServerTranslationsProvider } from '../../server-translations';
import { QueryPrefetchBoundary, readSearchParams, type SearchParamsPromise } from '../prefetched';

export const generateMetadata = createTitleMetadata('reservations');

export default async function Page(page: { searchParams: SearchParamsPromise }) {
  const search = await readSearchParams(page);
  const filters = parseReservationFilters(readFilterParams(search, RESERVATION_FILTER_NAMES));
  return (
    <ServerTranslationsProvider of={['reservations', 'reservation_form']}>
      <QueryPrefetchBoundary
        queries={(trpc, zone) => [
          trpc.reservations.list.queryOptions(
            buildReservationListPageInput(
              filters,
              readCursorFromUrl(search),
              getIsoDateInTimeZone(clock().now(), zone),
            ),
          ),
          trpc.properties.list.queryOptions(PROPERTIES_INPUT),
          trpc.accounts.saved_views.queryOptions(),
        ]}
      >
        <ReservationList />
      </QueryPrefetchBoundary>
    </ServerTranslationsProvider>
  );
}
