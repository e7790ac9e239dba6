import { PropertyPage } from '@/dashboard/properties/property-page';
import { page } from '../../../words';

const { generateMetadata, Page } = page(
  'property',
  ['reservations', 'properties', 'packets', 'outbox', 'calendar_health'],
  ({ id }: { id: string }) => <PropertyPage id={id} />,
);

export { generateMetadata, Page as default };
