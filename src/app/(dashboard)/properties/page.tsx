import { PropertyList } from '@/dashboard/properties/property-list';
import { page } from '../../words';

const { generateMetadata, Page } = page(
  'properties',
  ['terms', 'properties', 'packets', 'everywhere', 'reservations'],
  () => <PropertyList />,
);

export { generateMetadata, Page as default };
