import { SmsLog } from '@/dashboard/sms/sms-log';
import { titled } from '../../words';

export const generateMetadata = titled('sms_log');

export default function Page() {
  return <SmsLog />;
}
