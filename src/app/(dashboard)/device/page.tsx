import { DeviceLoginPage } from '@/dashboard/device/device-page';
import { createTitleMetadata, ServerTranslationsProvider } from '../../server-translations';

export const generateMetadata = createTitleMetadata('device');

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const { code } = await searchParams;
  return (
    <ServerTranslationsProvider of={['device', 'api_keys']}>
      <DeviceLoginPage code={typeof code === 'string' ? code.slice(0, 20) : ''} />
    </ServerTranslationsProvider>
  );
}
