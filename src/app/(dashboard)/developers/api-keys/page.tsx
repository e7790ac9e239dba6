import { ApiKeysPage } from '@/dashboard/developers/api-keys/api-keys-page';
import { definePage } from '../../../server-translations';

const { generateMetadata, Page } = definePage('api_keys', ['developers', 'api_keys'], () => <ApiKeysPage />);

export { generateMetadata, Page as default };
