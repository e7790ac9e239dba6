import { ReservationDetail } from '@/dashboard/reservations/detail/reservation-detail';
import { titled, Words } from '../../../words';

export const generateMetadata = titled('reservation');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return (
    <Words of={['reservations', 'reservation_detail', 'reservation_form', 'terms', 'trail', 'outbox']}>
      <ReservationDetail id={(await params).id} />
    </Words>
  );
}
