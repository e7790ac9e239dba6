import { RunList } from '@/dashboard/operator/run-list';
import { createTitleMetadata } from '../../../words';

export const generateMetadata = createTitleMetadata('background_work');

export default function Page() {
  return <RunList />;
}
