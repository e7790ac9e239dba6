import type { Metadata } from 'next';
import { SourcePage } from '@/dashboard/calendars/source-page';

export const metadata: Metadata = { title: 'Calendar' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <SourcePage id={(await params).id} />;
}
