import type { Metadata } from 'next';
import { CalendarList } from '@/dashboard/calendars/calendar-list';

export const metadata: Metadata = { title: 'Calendars' };

export default function Page() {
  return <CalendarList />;
}
