import { EventPage } from '@/dashboard/developers/events/event-page';
import { titled, Words } from '../../../../words';

export const generateMetadata = titled('event');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Words of={['developers', 'events', 'event_types']}>
      <EventPage id={(await params).id} />
    </Words>
  );
}
