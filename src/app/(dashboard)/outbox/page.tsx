import { OutboxList } from '@/dashboard/outbox/outbox-list';
import { definePage } from '../../words';

const { generateMetadata, Page } = definePage('outbox', ['outbox'], () => <OutboxList />);

export { generateMetadata, Page as default };
