import type { Metadata } from 'next';
import { RequestPage } from '@/dashboard/developers/request-log/request-page';

export const metadata: Metadata = { title: 'Request' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <RequestPage id={(await params).id} />;
}
