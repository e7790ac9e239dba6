import type { Metadata } from 'next';
import { EndpointPage } from '@/dashboard/developers/webhooks/endpoint-page';

export const metadata: Metadata = { title: 'Webhook endpoint' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <EndpointPage id={(await params).id} />;
}
