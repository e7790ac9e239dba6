import { EndpointList } from '@/dashboard/developers/webhooks/endpoint-list';
import { titled, Words } from '../../../words';

export const generateMetadata = titled('webhooks');

export default function Page() {
  return (
    <Words of={['developers', 'webhooks', 'event_types']}>
      <EndpointList />
    </Words>
  );
}
