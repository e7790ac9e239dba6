import { InboxPage } from '@/dashboard/calendars/inbox-page';
import { titled } from '../../../words';

export const generateMetadata = titled('inbox');

export default function Page() {
  return <InboxPage />;
}
