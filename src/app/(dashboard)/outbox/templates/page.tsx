import { MailTemplatesPage } from '@/dashboard/outbox/templates-page';
import { definePage } from '../../../server-translations';

const { generateMetadata, Page } = definePage('mail_templates', ['outbox'], () => <MailTemplatesPage />);

export { generateMetadata, Page as default };
