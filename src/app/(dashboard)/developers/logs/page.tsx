import { RequestList } from '@/dashboard/developers/request-log/request-list';
import { titled, Words } from '../../../words';

export const generateMetadata = titled('request_log');

export default function Page() {
  return (
    <Words of={['request_log']}>
      <RequestList />
    </Words>
  );
}
