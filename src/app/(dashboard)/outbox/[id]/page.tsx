import type { Metadata } from 'next';
import { MailPage } from '@/dashboard/outbox/mail-page';

export const metadata: Metadata = { title: 'Mail' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <MailPage id={(await params).id} />;
}
