import { PROPERTIES_INPUT } from '@/dashboard/initial-queries';
import { readCursor, readValues } from '@/dashboard/list/cursor';
import { FILTER_NAMES, listPageInput, readFilters } from '@/dashboard/reservations/list/filters';
import { ReservationList } from '@/dashboard/reservations/list/reservation-list';
import { dayIn } from '@/dashboard/ui/zone';
import { clock } from '@/shared/clock';
import { titled, Words } from '../../words';
import { Prefetched, type Search, searchParams } from '../prefetched';

export const generateMetadata = titled('reservations');

export default async function Page(page: { searchParams: Search }) {
  const search = await searchParams(page);
  const filters = readFilters(readValues(search, FILTER_NAMES));
  return (
    <Words of={['reservations', 'reservation_form']}>
      <Prefetched
        queries={(trpc, zone) => [
          trpc.reservations.list.queryOptions(listPageInput(filters, readCursor(search), dayIn(clock().now(), zone))),
          trpc.properties.list.queryOptions(PROPERTIES_INPUT),
          trpc.accounts.saved_views.queryOptions(),
        ]}
      >
        <ReservationList />
      </Prefetched>
    </Words>
  );
}
