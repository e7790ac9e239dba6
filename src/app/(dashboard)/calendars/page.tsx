import type { Metadata } from 'next';
import { CalendarList } from '@/dashboard/calendars/calendar-list';

export const metadata: Metadata = { title: 'Calendar feeds' };

export default function Page() {
  return <CalendarList />;
}
