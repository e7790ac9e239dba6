import { MailDetailPage } from '@/dashboard/outbox/mail-page';
import { defineTranslatedPage } from '../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage('mail', ['outbox'], ({ id }: { id: string }) => (
  <MailDetailPage id={id} />
));

export { generateMetadata, Page as default };
