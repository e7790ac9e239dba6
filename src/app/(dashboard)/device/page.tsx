import { DevicePage } from '@/dashboard/device/device-page';
import { titled, Words } from '../../words';

export const generateMetadata = titled('device');

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { code } = await searchParams;
  return (
    <Words of={['device', 'api_keys']}>
      <DevicePage code={typeof code === 'string' ? code.slice(0, 20) : ''} />
    </Words>
  );
}
