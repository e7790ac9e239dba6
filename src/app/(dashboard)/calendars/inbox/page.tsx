import { ForwardedMailInboxPage } from '@/dashboard/calendars/inbox-page';
import { defineTranslatedPage } from '../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage('inbox', ['calendar_mail'], () => <ForwardedMailInboxPage />);

export { generateMetadata, Page as default };
