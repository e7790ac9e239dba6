import { ReservationDetail } from '@/dashboard/reservations/detail/reservation-detail';
import { page } from '../../../words';

const { generateMetadata, Page } = page(
  'reservation',
  ['reservations', 'reservation_detail', 'reservation_form', 'terms', 'trail', 'outbox'],
  ({ id }: { id: string }) => <ReservationDetail id={id} />,
);

export { generateMetadata, Page as default };
