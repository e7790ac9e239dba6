import { EventPage } from '@/dashboard/developers/events/event-page';
import { definePage } from '../../../../server-translations';

const { generateMetadata, Page } = definePage(
  'event',
  ['developers', 'events', 'event_types'],
  ({ id }: { id: string }) => <EventPage id={id} />,
);

export { generateMetadata, Page as default };
