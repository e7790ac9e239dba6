import { TemplatesPage } from '@/dashboard/outbox/templates-page';
import { definePage } from '../../../server-translations';

const { generateMetadata, Page } = definePage('mail_templates', ['outbox'], () => <TemplatesPage />);

export { generateMetadata, Page as default };
