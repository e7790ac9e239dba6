import { EndpointList } from '@/dashboard/developers/webhooks/endpoint-list';
import { titled } from '../../../words';

export const generateMetadata = titled('webhooks');

export default function Page() {
  return <EndpointList />;
}
