import { MailPage } from '@/dashboard/outbox/mail-page';
import { titled } from '../../../words';

export const generateMetadata = titled('mail');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <MailPage id={(await params).id} />;
}
