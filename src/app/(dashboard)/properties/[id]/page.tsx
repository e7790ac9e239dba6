import { PropertyPage } from '@/dashboard/properties/property-page';
import { titled, Words } from '../../../words';

export const generateMetadata = titled('property');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Words of={['reservations', 'properties', 'packets', 'outbox', 'calendar_health']}>
      <PropertyPage id={(await params).id} />
    </Words>
  );
}
