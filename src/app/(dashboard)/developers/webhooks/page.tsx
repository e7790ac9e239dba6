import { EndpointList } from '@/dashboard/developers/webhooks/endpoint-list';
import { page } from '../../../words';

const { generateMetadata, Page } = page('webhooks', ['developers', 'webhooks', 'event_types'], () => <EndpointList />);

export { generateMetadata, Page as default };
