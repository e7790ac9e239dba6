import { ReservationImportPage } from '@/dashboard/reservations/import/import-page';
import { definePage } from '../../../server-translations';

const { generateMetadata, Page } = definePage('import_reservations', ['reservations', 'reservation_import'], () => (
  <ReservationImportPage />
));

export { generateMetadata, Page as default };
