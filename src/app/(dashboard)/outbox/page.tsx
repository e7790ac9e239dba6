import { OutboxList } from '@/dashboard/outbox/outbox-list';
import { titled, Words } from '../../words';

export const generateMetadata = titled('outbox');

export default function Page() {
  return (
    <Words of={['outbox']}>
      <OutboxList />
    </Words>
  );
}
