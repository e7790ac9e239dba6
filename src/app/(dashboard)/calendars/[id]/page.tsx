import { SyncSourcePage } from '@/dashboard/calendars/source-page';
import { defineTranslatedPage } from '../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage(
  'calendar',
  ['reservations', 'calendars', 'calendar_detail', 'calendar_mail', 'calendar_health'],
  ({ id }: { id: string }) => <SyncSourcePage id={id} />,
);

export { generateMetadata, Page as default };
