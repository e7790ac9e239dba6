import { SmsLog } from '@/dashboard/sms/sms-log';
import { titled, Words } from '../../words';

export const generateMetadata = titled('sms_log');

export default function Page() {
  return (
    <Words of={['sms']}>
      <SmsLog />
    </Words>
  );
}
