import { LoggedRequestPage } from '@/dashboard/developers/request-log/request-page';
import { defineTranslatedPage } from '../../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage(
  'request',
  ['developers', 'request_log', 'error_advice'],
  ({ id }: { id: string }) => <LoggedRequestPage id={id} />,
);

export { generateMetadata, Page as default };
