import { CalendarList } from '@/dashboard/calendars/calendar-list';
import { titled, Words } from '../../words';

export const generateMetadata = titled('calendars');

export default function Page() {
  return (
    <Words of={['calendars', 'calendar_health']}>
      <CalendarList />
    </Words>
  );
}
