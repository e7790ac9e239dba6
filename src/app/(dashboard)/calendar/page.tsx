import { CalendarPage } from '@/dashboard/stay-calendar/calendar-page';
import { page } from '../../words';

const { generateMetadata, Page } = page(
  'calendar',
  ['reservations', 'reservation_detail', 'double_booking', 'reservation_form', 'terms', 'stay_calendar'],
  () => <CalendarPage />,
);

export { generateMetadata, Page as default };
