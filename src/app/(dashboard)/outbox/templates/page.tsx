import { TemplatesPage } from '@/dashboard/outbox/templates-page';
import { titled, Words } from '../../../words';

export const generateMetadata = titled('mail_templates');

export default function Page() {
  return (
    <Words of={['outbox']}>
      <TemplatesPage />
    </Words>
  );
}
