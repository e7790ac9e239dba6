import { RequestList } from '@/dashboard/developers/request-log/request-list';
import { ERRORS } from '@/shared/errors';
import { titled, Words } from '../../../words';

export const generateMetadata = titled('request_log');

export default function Page() {
  return (
    <Words of={['request_log']}>
      <RequestList error_codes={Object.keys(ERRORS)} />
    </Words>
  );
}
