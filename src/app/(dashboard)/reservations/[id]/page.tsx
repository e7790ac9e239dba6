import { ReservationDetail } from '@/dashboard/reservations/detail/reservation-detail';
import { titled } from '../../../words';

export const generateMetadata = titled('reservation');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <ReservationDetail id={(await params).id} />;
}
