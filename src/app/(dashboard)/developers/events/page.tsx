import { EventList } from '@/dashboard/developers/events/event-list';
import { titled, Words } from '../../../words';

export const generateMetadata = titled('events');

export default function Page() {
  return (
    <Words of={['events']}>
      <EventList />
    </Words>
  );
}
