import { CalendarPage } from '@/dashboard/stay-calendar/calendar-page';
import { titled, Words } from '../../words';

export const generateMetadata = titled('calendar');

export default function Page() {
  return (
    <Words of={['reservations', 'reservation_detail', 'reservation_form', 'terms', 'stay_calendar']}>
      <CalendarPage />
    </Words>
  );
}
