import type { Metadata } from 'next';
import { PropertyList } from '@/dashboard/properties/property-list';

export const metadata: Metadata = { title: 'Properties' };

export default function Page() {
  return <PropertyList />;
}
