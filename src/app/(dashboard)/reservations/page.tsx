import { PROPERTIES_INPUT } from '@/dashboard/initial-queries';
import { readCursor, readValues } from '@/dashboard/list/cursor';
import { FILTER_NAMES, listPageInput, readFilters } from '@/dashboard/reservations/list/filters';
import { ReservationList } from '@/dashboard/reservations/list/reservation-list';
import { dayIn } from '@/dashboard/ui/zone';
import { clock } from '@/shared/clock';
import { createTitleMetadata, PageMessages } from '../../words';
import { PrefetchedQueries, readSearchParams, type SearchParamsPromise } from '../prefetched';

export const generateMetadata = createTitleMetadata('reservations');

export default async function Page(page: { searchParams: SearchParamsPromise }) {
  const search = await readSearchParams(page);
  const filters = readFilters(readValues(search, FILTER_NAMES));
  return (
    <PageMessages of={['reservations', 'reservation_form']}>
      <PrefetchedQueries
        queries={(trpc, zone) => [
          trpc.reservations.list.queryOptions(listPageInput(filters, readCursor(search), dayIn(clock().now(), zone))),
          trpc.properties.list.queryOptions(PROPERTIES_INPUT),
          trpc.accounts.saved_views.queryOptions(),
        ]}
      >
        <ReservationList />
      </PrefetchedQueries>
    </PageMessages>
  );
}
