import { EventList } from '@/dashboard/developers/events/event-list';
import { defineTranslatedPage } from '../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage('events', ['events'], () => <EventList />);

export { generateMetadata, Page as default };
