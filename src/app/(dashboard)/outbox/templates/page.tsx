import type { Metadata } from 'next';
import { TemplatesPage } from '@/dashboard/outbox/templates-page';

export const metadata: Metadata = { title: 'All mails' };

export default function Page() {
  return <TemplatesPage />;
}
