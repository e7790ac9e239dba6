import { EventPage } from '@/dashboard/developers/events/event-page';
import { titled } from '../../../../words';

export const generateMetadata = titled('event');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <EventPage id={(await params).id} />;
}
