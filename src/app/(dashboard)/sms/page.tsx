import { SmsLog } from '@/dashboard/sms/sms-log';
import { page } from '../../words';

const { generateMetadata, Page } = page('sms_log', ['sms'], () => <SmsLog />);

export { generateMetadata, Page as default };
