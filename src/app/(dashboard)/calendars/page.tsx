import { CalendarList } from '@/dashboard/calendars/calendar-list';
import { page } from '../../words';

const { generateMetadata, Page } = page('calendars', ['calendars', 'calendar_health'], () => <CalendarList />);

export { generateMetadata, Page as default };
