import { InboxPage } from '@/dashboard/calendars/inbox-page';
import { page } from '../../../words';

const { generateMetadata, Page } = page('inbox', ['calendar_mail'], () => <InboxPage />);

export { generateMetadata, Page as default };
