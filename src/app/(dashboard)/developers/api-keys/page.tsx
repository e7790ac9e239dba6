import { ApiKeysPage } from '@/dashboard/developers/api-keys/api-keys-page';
import { titled, Words } from '../../../words';

export const generateMetadata = titled('api_keys');

export default function Page() {
  return (
    <Words of={['developers', 'api_keys']}>
      <ApiKeysPage />
    </Words>
  );
}
