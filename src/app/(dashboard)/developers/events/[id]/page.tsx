import { EventPage } from '@/dashboard/developers/events/event-page';
import { page } from '../../../../words';

const { generateMetadata, Page } = page('event', ['developers', 'events', 'event_types'], ({ id }: { id: string }) => (
  <EventPage id={id} />
));

export { generateMetadata, Page as default };
