'use client';
import { SearchX } from 'lucide-react';
import Link from 'next/link';
import { paths } from '../paths';
import { useProperty } from '../properties/queries';
import { readError } from '../read-error';
import { useMe } from '../shell/me';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader, FactLines } from '../ui/card';
import { CopyableId } from '../ui/copy-field';
import { CalendarDay, DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { ErrorPanel } from '../ui/error-panel';
import { PageHeader } from '../ui/page-header';
import { Skeleton } from '../ui/skeleton';
import { ArrivalPanel } from './arrival-panel';
import { StatusBadge } from './badges';
import { EmailPreviewCard } from './email-preview';
import { SOURCE, STATUS } from './labels';
import { type Reservation, useReservation } from './queries';
import { ReservationActions } from './reservation-actions';
import { Timeline } from './timeline';

const back = { href: paths.reservations, label: 'Reservations' };

export function ReservationDetail({ id }: { id: string }) {
  const reservation = useReservation(id);
  const property = useProperty(reservation.data?.property_id);
  const { mode } = useMe();
  if (!reservation.data) {
    return reservation.error ? (
      <LoadError error={reservation.error} onRetry={() => void reservation.refetch()} />
    ) : (
      <DetailSkeleton />
    );
  }
  const row = reservation.data;
  const zone = property.data?.timezone ?? null;
  return (
    <>
      <PageHeader
        back={back}
        title={row.guest_name}
        badge={<StatusBadge status={row.status} />}
        description={STATUS[row.status].hint}
        actions={<ReservationActions reservation={row} timezone={zone} />}
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        <div className="grid gap-6">
          <Card>
            <CardHeader
              title="Timeline"
              description={`What happened, in order, on the property’s clock (${zone ?? 'UTC'}).`}
            />
            <Timeline id={row.id} zone={zone} />
          </Card>
          {mode === 'test' && row.sent_at ? <EmailPreviewCard id={row.id} zone={zone} /> : null}
        </div>
        <div className="grid gap-6">
          <StayCard reservation={row} property={property.data?.name} zone={zone} />
          <ArrivalPanel reservation={row} zone={zone} />
        </div>
      </div>
    </>
  );
}

function StayCard({
  reservation: row,
  property,
  zone,
}: {
  reservation: Reservation;
  property?: string;
  zone: string | null;
}) {
  return (
    <Card>
      <CardHeader title="Stay" />
      <CardBody>
        <FactLines
          items={[
            { label: 'Check-in', value: <CalendarDay value={row.checkin_date} weekday /> },
            { label: 'Check-out', value: <CalendarDay value={row.checkout_date} weekday /> },
            { label: 'Property', value: property ?? row.property_id },
            { label: 'Source', value: SOURCE[row.source] },
            {
              label: 'E-mail',
              value: row.guest_contact_missing ? <span className="text-warning">No address yet</span> : row.guest_email,
            },
            { label: 'Created', value: <DateTime value={row.created_at} zone={zone} /> },
            { label: 'Sent', value: <DateTime value={row.sent_at} zone={zone} /> },
            { label: 'Signed', value: <DateTime value={row.signed_at} zone={zone} /> },
            ...(row.signature_id
              ? [{ label: 'Certificate', value: <CopyableId value={row.signature_id} label="certificate id" /> }]
              : []),
            ...(row.manual_override ? [{ label: 'Signature', value: 'Marked as signed by the host' }] : []),
            { label: 'Id', value: <CopyableId value={row.id} label="reservation id" /> },
          ]}
        />
      </CardBody>
    </Card>
  );
}

function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { status, message, request_id } = readError(error);
  return (
    <>
      <PageHeader back={back} title="Reservation" />
      <Card>
        {status === 404 ? (
          <EmptyState
            icon={SearchX}
            title="There is no such reservation"
            action={
              <Button asChild variant="secondary">
                <Link href={paths.reservations}>All reservations</Link>
              </Button>
            }
          >
            {message}
          </EmptyState>
        ) : (
          <ErrorPanel
            title="The reservation could not be loaded"
            message={message}
            requestId={request_id}
            onRetry={onRetry}
          />
        )}
      </Card>
    </>
  );
}

function DetailSkeleton() {
  return (
    <div aria-busy="true">
      <PageHeader
        back={back}
        title={<Skeleton className="h-7 w-48" />}
        description={<Skeleton className="h-4 w-64" />}
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        <Skeleton className="h-80 rounded-xl" />
        <Skeleton className="h-64 rounded-xl" />
      </div>
    </div>
  );
}
