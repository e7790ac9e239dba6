import { ConnectAssistantPage } from '@/dashboard/assistants/connect-assistant-page';
import { titled, Words } from '../../words';

export const generateMetadata = titled('connect_assistant');

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string | string[]>> }) {
  const query = Object.entries(await searchParams).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return (
    <Words of={['assistants', 'api_keys']}>
      <ConnectAssistantPage oauth_query={new URLSearchParams(query).toString()} />
    </Words>
  );
}
