import { RunPage } from '@/dashboard/operator/run-page';
import { titled } from '../../../../words';

export const generateMetadata = titled('run');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <RunPage id={(await params).id} />;
}
