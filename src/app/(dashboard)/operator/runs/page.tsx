import { RunList } from '@/dashboard/operator/run-list';
import { titled } from '../../../words';

export const generateMetadata = titled('background_work');

export default function Page() {
  return <RunList />;
}
