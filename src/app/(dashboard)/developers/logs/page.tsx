import { RequestList } from '@/dashboard/developers/request-log/request-list';
import { ERRORS } from '@/shared/errors';
import { defineTranslatedPage } from '../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage('request_log', ['request_log'], () => (
  <RequestList error_codes={Object.keys(ERRORS)} />
));

export { generateMetadata, Page as default };
