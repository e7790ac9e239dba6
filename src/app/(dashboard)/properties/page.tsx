import { PropertyList } from '@/dashboard/properties/property-list';
import { page } from '../../words';

const { generateMetadata, Page } = page('properties', ['terms', 'properties', 'packets'], () => <PropertyList />);

export { generateMetadata, Page as default };
