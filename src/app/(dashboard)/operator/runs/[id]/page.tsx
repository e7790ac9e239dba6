import { DurableRunPage } from '@/dashboard/operator/run-page';
import { createTitleMetadata } from '../../../../server-translations';

export const generateMetadata = createTitleMetadata('run');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <DurableRunPage id={(await params).id} />;
}
