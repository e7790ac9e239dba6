import { SmsLog } from '@/dashboard/sms/sms-log';
import { defineTranslatedPage } from '../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage('sms_log', ['sms'], () => <SmsLog />);

export { generateMetadata, Page as default };
