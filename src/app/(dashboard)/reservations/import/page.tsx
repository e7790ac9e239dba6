import { ImportPage } from '@/dashboard/reservations/import/import-page';
import { page } from '../../../words';

const { generateMetadata, Page } = page('import_reservations', ['reservations', 'reservation_import'], () => (
  <ImportPage />
));

export { generateMetadata, Page as default };
