import { SourcePage } from '@/dashboard/calendars/source-page';
import { titled } from '../../../words';

export const generateMetadata = titled('calendar');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <SourcePage id={(await params).id} />;
}
