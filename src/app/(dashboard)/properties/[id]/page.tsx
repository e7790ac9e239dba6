import { PropertyPage } from '@/dashboard/properties/property-page';
import { titled } from '../../../words';

export const generateMetadata = titled('property');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <PropertyPage id={(await params).id} />;
}
