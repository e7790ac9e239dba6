import { ApiKeysPage } from '@/dashboard/developers/api-keys/api-keys-page';
import { page } from '../../../words';

const { generateMetadata, Page } = page('api_keys', ['developers', 'api_keys'], () => <ApiKeysPage />);

export { generateMetadata, Page as default };
