import { OutboxList } from '@/dashboard/outbox/outbox-list';
import { titled } from '../../words';

export const generateMetadata = titled('outbox');

export default function Page() {
  return <OutboxList />;
}
