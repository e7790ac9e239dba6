import type { Metadata } from 'next';
import { ReservationList } from '@/dashboard/reservations/list/reservation-list';

export const metadata: Metadata = { title: 'Reservations' };

export default function Page() {
  return <ReservationList />;
}
