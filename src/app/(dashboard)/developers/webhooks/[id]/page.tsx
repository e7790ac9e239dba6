import { EndpointPage } from '@/dashboard/developers/webhooks/endpoint-page';
import { titled } from '../../../../words';

export const generateMetadata = titled('webhook_endpoint');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <EndpointPage id={(await params).id} />;
}
