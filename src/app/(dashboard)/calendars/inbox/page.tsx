import { ForwardedMailInboxPage } from '@/dashboard/calendars/inbox-page';
import { definePage } from '../../../server-translations';

const { generateMetadata, Page } = definePage('inbox', ['calendar_mail'], () => <ForwardedMailInboxPage />);

export { generateMetadata, Page as default };
