import { MailPage } from '@/dashboard/outbox/mail-page';
import { definePage } from '../../../server-translations';

const { generateMetadata, Page } = definePage('mail', ['outbox'], ({ id }: { id: string }) => <MailPage id={id} />);

export { generateMetadata, Page as default };
