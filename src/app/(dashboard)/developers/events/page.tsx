import { EventList } from '@/dashboard/developers/events/event-list';
import { titled } from '../../../words';

export const generateMetadata = titled('events');

export default function Page() {
  return <EventList />;
}
