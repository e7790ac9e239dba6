import { OutboxList } from '@/dashboard/outbox/outbox-list';
import { definePage } from '../../server-translations';

const { generateMetadata, Page } = definePage('outbox', ['outbox'], () => <OutboxList />);

export { generateMetadata, Page as default };
