import { PropertyList } from '@/dashboard/properties/property-list';
import { defineTranslatedPage } from '../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage(
  'properties',
  ['terms', 'properties', 'packets', 'everywhere', 'reservations'],
  () => <PropertyList />,
);

export { generateMetadata, Page as default };
