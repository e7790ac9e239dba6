import { PropertyList } from '@/dashboard/properties/property-list';
import { titled, Words } from '../../words';

export const generateMetadata = titled('properties');

export default function Page() {
  return (
    <Words of={['terms', 'properties', 'packets']}>
      <PropertyList />
    </Words>
  );
}
