import type { Metadata } from 'next';
import { PropertyPage } from '@/dashboard/properties/property-page';

export const metadata: Metadata = { title: 'Property' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <PropertyPage id={(await params).id} />;
}
