import { PropertyList } from '@/dashboard/properties/property-list';
import { definePage } from '../../server-translations';

const { generateMetadata, Page } = definePage(
  'properties',
  ['terms', 'properties', 'packets', 'everywhere', 'reservations'],
  () => <PropertyList />,
);

export { generateMetadata, Page as default };
