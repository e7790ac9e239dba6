import { RequestPage } from '@/dashboard/developers/request-log/request-page';
import { titled, Words } from '../../../../words';

export const generateMetadata = titled('request');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Words of={['developers', 'request_log', 'error_advice']}>
      <RequestPage id={(await params).id} />
    </Words>
  );
}
