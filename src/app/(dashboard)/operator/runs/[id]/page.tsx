import { RunPage } from '@/dashboard/operator/run-page';
import { createTitleMetadata } from '../../../../server-translations';

export const generateMetadata = createTitleMetadata('run');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <RunPage id={(await params).id} />;
}
