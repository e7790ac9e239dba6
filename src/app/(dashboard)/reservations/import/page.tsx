import { ImportPage } from '@/dashboard/reservations/import/import-page';
import { titled, Words } from '../../../words';

export const generateMetadata = titled('import_reservations');

export default function Page() {
  return (
    <Words of={['reservations', 'reservation_import']}>
      <ImportPage />
    </Words>
  );
}
