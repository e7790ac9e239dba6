import { ApiKeysPage } from '@/dashboard/developers/api-keys/api-keys-page';
import { defineTranslatedPage } from '../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage('api_keys', ['developers', 'api_keys'], () => <ApiKeysPage />);

export { generateMetadata, Page as default };
