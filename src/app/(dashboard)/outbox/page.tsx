import { OutboxList } from '@/dashboard/outbox/outbox-list';
import { defineTranslatedPage } from '../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage('outbox', ['outbox'], () => <OutboxList />);

export { generateMetadata, Page as default };
