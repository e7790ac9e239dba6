import { DevicePage } from '@/dashboard/device/device-page';
import { createTitleMetadata, ServerMessagesProvider } from '../../words';

export const generateMetadata = createTitleMetadata('device');

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { code } = await searchParams;
  return (
    <ServerMessagesProvider of={['device', 'api_keys']}>
      <DevicePage code={typeof code === 'string' ? code.slice(0, 20) : ''} />
    </ServerMessagesProvider>
  );
}
