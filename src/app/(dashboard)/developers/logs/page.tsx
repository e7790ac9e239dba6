import { RequestList } from '@/dashboard/developers/request-log/request-list';
import { titled } from '../../../words';

export const generateMetadata = titled('request_log');

export default function Page() {
  return <RequestList />;
}
