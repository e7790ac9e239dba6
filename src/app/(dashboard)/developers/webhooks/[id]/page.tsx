import { EndpointPage } from '@/dashboard/developers/webhooks/endpoint-page';
import { titled, Words } from '../../../../words';

export const generateMetadata = titled('webhook_endpoint');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Words of={['developers', 'webhooks', 'event_types']}>
      <EndpointPage id={(await params).id} />
    </Words>
  );
}
