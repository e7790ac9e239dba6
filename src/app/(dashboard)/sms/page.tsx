import type { Metadata } from 'next';
import { SmsLog } from '@/dashboard/sms/sms-log';

export const metadata: Metadata = { title: 'SMS log' };

export default function Page() {
  return <SmsLog />;
}
