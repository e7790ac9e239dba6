import { MailPage } from '@/dashboard/outbox/mail-page';
import { page } from '../../../words';

const { generateMetadata, Page } = page('mail', ['outbox'], ({ id }: { id: string }) => <MailPage id={id} />);

export { generateMetadata, Page as default };
