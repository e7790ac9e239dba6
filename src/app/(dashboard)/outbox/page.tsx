import type { Metadata } from 'next';
import { OutboxList } from '@/dashboard/outbox/outbox-list';

export const metadata: Metadata = { title: 'Outbox' };

export default function Page() {
  return <OutboxList />;
}
