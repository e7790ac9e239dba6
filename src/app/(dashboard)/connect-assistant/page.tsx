import { ConnectAssistantPage } from '@/dashboard/assistants/connect-assistant-page';
import { createTitleMetadata, ServerTranslationsProvider } from '../../server-translations';

export const generateMetadata = createTitleMetadata('connect_assistant');

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const query = Object.entries(await searchParams).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return (
    <ServerTranslationsProvider of={['assistants', 'api_keys']}>
      <ConnectAssistantPage oauth_query={new URLSearchParams(query).toString()} />
    </ServerTranslationsProvider>
  );
}
