import { EndpointList } from '@/dashboard/developers/webhooks/endpoint-list';
import { defineTranslatedPage } from '../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage('webhooks', ['developers', 'webhooks', 'event_types'], () => (
  <EndpointList />
));

export { generateMetadata, Page as default };
