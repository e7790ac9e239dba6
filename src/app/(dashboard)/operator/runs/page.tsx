import type { Metadata } from 'next';
import { RunList } from '@/dashboard/operator/run-list';

export const metadata: Metadata = { title: 'Background work' };

export default function Page() {
  return <RunList />;
}
