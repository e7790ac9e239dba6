import { SourcePage } from '@/dashboard/calendars/source-page';
import { page } from '../../../words';

const { generateMetadata, Page } = page(
  'calendar',
  ['reservations', 'calendars', 'calendar_detail', 'calendar_mail', 'calendar_health'],
  ({ id }: { id: string }) => <SourcePage id={id} />,
);

export { generateMetadata, Page as default };
