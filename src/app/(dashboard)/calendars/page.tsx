import { CalendarList } from '@/dashboard/calendars/calendar-list';
import { titled } from '../../words';

export const generateMetadata = titled('calendars');

export default function Page() {
  return <CalendarList />;
}
