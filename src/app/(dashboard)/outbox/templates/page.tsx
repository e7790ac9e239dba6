import type { Metadata } from 'next';
import { TemplatesPage } from '@/dashboard/outbox/templates-page';

export const metadata: Metadata = { title: 'Mail templates' };

export default function Page() {
  return <TemplatesPage />;
}
