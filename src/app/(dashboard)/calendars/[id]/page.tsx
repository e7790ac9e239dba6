import { SourcePage } from '@/dashboard/calendars/source-page';
import { titled, Words } from '../../../words';

export const generateMetadata = titled('calendar');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Words of={['reservations', 'calendars', 'calendar_detail', 'calendar_mail', 'calendar_health']}>
      <SourcePage id={(await params).id} />
    </Words>
  );
}
