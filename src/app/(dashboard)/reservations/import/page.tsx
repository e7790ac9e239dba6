import { ImportPage } from '@/dashboard/reservations/import/import-page';
import { titled } from '../../../words';

export const generateMetadata = titled('import_reservations');

export default function Page() {
  return <ImportPage />;
}
