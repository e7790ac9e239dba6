import { StayCalendarPage } from '@/dashboard/stay-calendar/calendar-page';
import { defineTranslatedPage } from '../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage(
  'calendar',
  ['reservations', 'reservation_detail', 'double_booking', 'reservation_form', 'terms', 'stay_calendar'],
  () => <StayCalendarPage />,
);

export { generateMetadata, Page as default };
