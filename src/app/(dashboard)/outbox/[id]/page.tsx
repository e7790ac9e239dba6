import { MailPage } from '@/dashboard/outbox/mail-page';
import { titled, Words } from '../../../words';

export const generateMetadata = titled('mail');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Words of={['outbox']}>
      <MailPage id={(await params).id} />
    </Words>
  );
}
