import { EventPage } from '@/dashboard/developers/events/event-page';
import { defineTranslatedPage } from '../../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage(
  'event',
  ['developers', 'events', 'event_types'],
  ({ id }: { id: string }) => <EventPage id={id} />,
);

export { generateMetadata, Page as default };
