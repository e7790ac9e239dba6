import { InboxPage } from '@/dashboard/calendars/inbox-page';
import { definePage } from '../../../server-translations';

const { generateMetadata, Page } = definePage('inbox', ['calendar_mail'], () => <InboxPage />);

export { generateMetadata, Page as default };
