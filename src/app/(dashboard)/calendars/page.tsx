import { CalendarList } from '@/dashboard/calendars/calendar-list';
import { defineTranslatedPage } from '../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage('calendars', ['calendars', 'calendar_health'], () => (
  <CalendarList />
));

export { generateMetadata, Page as default };
