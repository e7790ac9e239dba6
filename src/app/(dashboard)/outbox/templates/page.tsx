import { TemplatesPage } from '@/dashboard/outbox/templates-page';
import { page } from '../../../words';

const { generateMetadata, Page } = page('mail_templates', ['outbox'], () => <TemplatesPage />);

export { generateMetadata, Page as default };
