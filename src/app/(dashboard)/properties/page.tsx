import { PropertyList } from '@/dashboard/properties/property-list';
import { titled } from '../../words';

export const generateMetadata = titled('properties');

export default function Page() {
  return <PropertyList />;
}
