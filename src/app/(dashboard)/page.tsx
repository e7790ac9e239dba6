import { ARRIVALS_FILTERS, parseDaysFilter } from '@/dashboard/home/arrivals';
import { HomePage } from '@/dashboard/home/home';
import {
  arrivalsInput,
  CALENDARS_INPUT,
  PROPERTIES_INPUT,
  SAME_NIGHTS_INPUT,
  WAITING,
  waitingInput,
} from '@/dashboard/initial-queries';
import { readValues } from '@/dashboard/list/cursor';
import { readStatuses } from '@/dashboard/reservations/list/filters';
import { dayIn } from '@/dashboard/ui/zone';
import { clock } from '@/shared/clock';
import { createTitleMetadata, PageMessages } from '../words';
import { PrefetchedQueries, readSearchParams, type SearchParamsPromise } from './prefetched';

export const generateMetadata = createTitleMetadata('home');

export default async function Page(page: { searchParams: SearchParamsPromise }) {
  const { status, property, days } = readValues(await readSearchParams(page), ARRIVALS_FILTERS);
  return (
    <PageMessages of={['home', 'reservations', 'double_booking']}>
      <PrefetchedQueries
        queries={(trpc, zone) => {
          const today = dayIn(clock().now(), zone);
          return [
            trpc.reservations.list.queryOptions(
              arrivalsInput({ status: readStatuses(status), property, days: parseDaysFilter(days) }, today),
            ),
            ...WAITING.map((attention) => trpc.reservations.list.queryOptions(waitingInput(attention, today))),
            trpc.reservations.list.queryOptions(SAME_NIGHTS_INPUT),
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
      </PrefetchedQueries>
    </PageMessages>
  );
}
