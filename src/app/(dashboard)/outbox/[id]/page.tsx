import { MailDetailPage } from '@/dashboard/outbox/mail-page';
import { definePage } from '../../../server-translations';

const { generateMetadata, Page } = definePage('mail', ['outbox'], ({ id }: { id: string }) => (
  <MailDetailPage id={id} />
));

export { generateMetadata, Page as default };
