import { OutboxList } from '@/dashboard/outbox/outbox-list';
import { page } from '../../words';

const { generateMetadata, Page } = page('outbox', ['outbox'], () => <OutboxList />);

export { generateMetadata, Page as default };
