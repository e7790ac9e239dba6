import type { Metadata } from 'next';
import { EventPage } from '@/dashboard/developers/events/event-page';

export const metadata: Metadata = { title: 'Event' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <EventPage id={(await params).id} />;
}
