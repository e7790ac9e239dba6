import type { Metadata } from 'next';
import { RequestList } from '@/dashboard/developers/request-log/request-list';

export const metadata: Metadata = { title: 'Request log' };

export default function Page() {
  return <RequestList />;
}
