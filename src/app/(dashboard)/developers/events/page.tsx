import { EventList } from '@/dashboard/developers/events/event-list';
import { definePage } from '../../../server-translations';

const { generateMetadata, Page } = definePage('events', ['events'], () => <EventList />);

export { generateMetadata, Page as default };
