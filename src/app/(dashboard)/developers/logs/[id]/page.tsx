import { LoggedRequestPage } from '@/dashboard/developers/request-log/request-page';
import { definePage } from '../../../../server-translations';

const { generateMetadata, Page } = definePage(
  'request',
  ['developers', 'request_log', 'error_advice'],
  ({ id }: { id: string }) => <LoggedRequestPage id={id} />,
);

export { generateMetadata, Page as default };
