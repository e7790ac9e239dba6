import { EndpointList } from '@/dashboard/developers/webhooks/endpoint-list';
import { definePage } from '../../../server-translations';

const { generateMetadata, Page } = definePage('webhooks', ['developers', 'webhooks', 'event_types'], () => (
  <EndpointList />
));

export { generateMetadata, Page as default };
