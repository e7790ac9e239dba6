import { ReservationImportPage } from '@/dashboard/reservations/import/import-page';
import { defineTranslatedPage } from '../../../server-translations';

const { generateMetadata, Page } = defineTranslatedPage(
  'import_reservations',
  ['reservations', 'reservation_import'],
  () => <ReservationImportPage />,
);

export { generateMetadata, Page as default };
