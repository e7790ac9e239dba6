import { DevicePage } from '@/dashboard/device/device-page';
import { createTitleMetadata, PageMessages } from '../../words';

export const generateMetadata = createTitleMetadata('device');

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { code } = await searchParams;
  return (
    <PageMessages of={['device', 'api_keys']}>
      <DevicePage code={typeof code === 'string' ? code.slice(0, 20) : ''} />
    </PageMessages>
  );
}
