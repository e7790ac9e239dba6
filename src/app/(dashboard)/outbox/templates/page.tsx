import { MailTemplatesPage } from '@/dashboard/outbox/templates-page';
import { defineTranslatedPage } from '../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage('mail_templates', ['outbox'], () => <MailTemplatesPage />);

export { generateMetadata, Page as default };
