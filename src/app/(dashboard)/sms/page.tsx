import { SmsLog } from '@/dashboard/sms/sms-log';
import { definePage } from '../../server-translations';

const { generateMetadata, Page } = definePage('sms_log', ['sms'], () => <SmsLog />);

export { generateMetadata, Page as default };
