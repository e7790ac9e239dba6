import { EventList } from '@/dashboard/developers/events/event-list';
import { page } from '../../../words';

const { generateMetadata, Page } = page('events', ['events'], () => <EventList />);

export { generateMetadata, Page as default };
