import { InboxPage } from '@/dashboard/calendars/inbox-page';
import { titled, Words } from '../../../words';

export const generateMetadata = titled('inbox');

export default function Page() {
  return (
    <Words of={['reservations', 'calendar_mail']}>
      <InboxPage />
    </Words>
  );
}
