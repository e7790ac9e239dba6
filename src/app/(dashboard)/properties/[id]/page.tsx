import { PropertyPage } from '@/dashboard/properties/property-page';
import { defineTranslatedPage } from '../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage(
  'property',
  ['reservations', 'properties', 'packets', 'outbox', 'calendar_health'],
  ({ id }: { id: string }) => <PropertyPage id={id} />,
);

export { generateMetadata, Page as default };
