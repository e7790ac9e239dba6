import { TemplatesPage } from '@/dashboard/outbox/templates-page';
import { titled } from '../../../words';

export const generateMetadata = titled('mail_templates');

export default function Page() {
  return <TemplatesPage />;
}
