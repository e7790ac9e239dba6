import { EndpointPage } from '@/dashboard/developers/webhooks/endpoint-page';
import { definePage } from '../../../../server-translations';

const { generateMetadata, Page } = definePage(
  'webhook_endpoint',
  ['developers', 'webhooks', 'event_types'],
  ({ id }: { id: string }) => <EndpointPage id={id} />,
);

export { generateMetadata, Page as default };
