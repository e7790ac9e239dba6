import { CalendarList } from '@/dashboard/calendars/calendar-list';
import { definePage } from '../../server-translations';

const { generateMetadata, Page } = definePage('calendars', ['calendars', 'calendar_health'], () => <CalendarList />);

export { generateMetadata, Page as default };
