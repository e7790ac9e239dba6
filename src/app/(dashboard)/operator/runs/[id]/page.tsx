import { RunPage } from '@/dashboard/operator/run-page';
import { createTitleMetadata } from '../../../../words';

export const generateMetadata = createTitleMetadata('run');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <RunPage id={(await params).id} />;
}
