import type { Metadata } from 'next';
import { ReservationDetail } from '@/dashboard/reservations/detail/reservation-detail';

export const metadata: Metadata = { title: 'Reservation' };

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  return <ReservationDetail id={(await params).id} />;
}
