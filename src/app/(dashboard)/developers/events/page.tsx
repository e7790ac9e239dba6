import type { Metadata } from 'next';
import { EventList } from '@/dashboard/developers/events/event-list';

export const metadata: Metadata = { title: 'Events' };

export default function Page() {
  return <EventList />;
}
