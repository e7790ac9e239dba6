import { EndpointPage } from '@/dashboard/developers/webhooks/endpoint-page';
import { page } from '../../../../words';

const { generateMetadata, Page } = page(
  'webhook_endpoint',
  ['developers', 'webhooks', 'event_types'],
  ({ id }: { id: string }) => <EndpointPage id={id} />,
);

export { generateMetadata, Page as default };
