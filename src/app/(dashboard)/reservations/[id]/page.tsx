import { buildReservationMailsInput } from '@/dashboard/initial-queries';
import { ReservationDetail } from '@/dashboard/reservations/detail/reservation-detail';
import { createTitleMetadata, ServerTranslationsProvider } from '../../../server-translations';
import { QueryPrefetchBoundary } from '../../prefetched';

export const generateMetadata = createTitleMetadata('reservation');

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return (
    <ServerTranslationsProvider
      of={['reservations', 'reservation_detail', 'double_booking', 'reservation_form', 'terms', 'trail', 'outbox']}
    >
      <QueryPrefetchBoundary
        queries={(trpc) => [
          trpc.reservations.retrieve.queryOptions({ id }),
          trpc.reservations.events.queryOptions({ id }),
          trpc.mail.list.queryOptions(buildReservationMailsInput(id)),
          trpc.mail.templates.queryOptions(),
        ]}
        dependent={(trpc, client) => {
          const reservation = client.getQueryData(trpc.reservations.retrieve.queryKey({ id }));
          return reservation ? [trpc.properties.retrieve.queryOptions({ id: reservation.property_id })] : [];
        }}
      >
        <ReservationDetail id={id} />
      </QueryPrefetchBoundary>
    </ServerTranslationsProvider>
  );
}
