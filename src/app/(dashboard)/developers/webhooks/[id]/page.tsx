import { EndpointPage } from '@/dashboard/developers/webhooks/endpoint-page';
import { defineTranslatedPage } from '../../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage(
  'webhook_endpoint',
  ['developers', 'webhooks', 'event_types'],
  ({ id }: { id: string }) => <EndpointPage id={id} />,
);

export { generateMetadata, Page as default };
