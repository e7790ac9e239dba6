import { DurableRunList } from '@/dashboard/operator/run-list';
import { createTitleMetadata } from '../../../server-translations';

export const generateMetadata = createTitleMetadata('background_work');

export default function Page() {
  return <DurableRunList />;
}
