import { ARRIVALS_FILTERS } from '@/dashboard/home/arrivals';
import { arrivalsAsked, CALENDARS_ASKED, SAME_NIGHTS_ASKED, WAITING, waitingAsked } from '@/dashboard/home/asked';
import { HomePage } from '@/dashboard/home/home';
import { readValues } from '@/dashboard/list/cursor';
import { PROPERTIES_ASKED } from '@/dashboard/properties/asked';
import { readStatuses } from '@/dashboard/reservations/list/filters';
import { dayIn } from '@/dashboard/ui/zone';
import { clock } from '@/shared/clock';
import { titled, Words } from '../words';
import { Prefetched, type Search, searchParams } from './prefetched';

export const generateMetadata = titled('home');

export default async function Page(page: { searchParams: Search }) {
  const { status, property } = readValues(await searchParams(page), ARRIVALS_FILTERS);
  return (
    <Words of={['home', 'reservations', 'calendar_health']}>
      <Prefetched
        queries={(trpc, zone) => {
          const today = dayIn(clock().now(), zone);
          return [
            trpc.reservations.list.queryOptions(arrivalsAsked({ status: readStatuses(status), property }, today)),
            ...WAITING.map((attention) => trpc.reservations.list.queryOptions(waitingAsked(attention, today))),
            trpc.reservations.list.queryOptions(SAME_NIGHTS_ASKED),
            trpc.sync_sources.list.queryOptions(CALENDARS_ASKED),
            trpc.webhook_endpoints.list.queryOptions({}),
            trpc.properties.list.queryOptions(PROPERTIES_ASKED),
            trpc.home.first_steps.queryOptions(),
            trpc.home.activity.queryOptions({ timezone: zone }),
            trpc.accounts.saved_views.queryOptions(),
          ];
        }}
      >
        <HomePage />
      </Prefetched>
    </Words>
  );
}
