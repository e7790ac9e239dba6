'use client';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { NotFoundOrError } from '../../not-found-or-error';
import { paths } from '../../paths';
import { useProperty } from '../../properties/queries';
import { Card, CardBody, CardHeader, FactLines } from '../../ui/card';
import { CopyableId } from '../../ui/copy-field';
import { CalendarDay, DateTime } from '../../ui/date-time';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Skeleton } from '../../ui/skeleton';
import { MailProblemBadge, StatusBadge } from '../badges';
import { type Reservation, useReservation } from '../queries';
import { ArrivalPanel } from './arrival-panel';
import { type OpenDialog, ReservationActions } from './reservation-actions';
import { ReservationNotices } from './reservation-notices';

// Only the one that is shown is loaded.
const MailHistory = dynamic(() => import('./mail-history').then((file) => file.MailHistory));
const Timeline = dynamic(() => import('./timeline').then((file) => file.Timeline));

const back = { href: paths.reservations, label: 'Reservations' };

export function ReservationDetail({ id }: { id: string }) {
  const t = useTranslations('reservations');
  const reservation = useReservation(id);
  const property = useProperty(reservation.data?.property_id);
  const [open, setOpen] = useState<OpenDialog | null>(null);
  if (!reservation.data) {
    if (!reservation.error) return <DetailSkeleton />;
    return <LoadError error={reservation.error} onRetry={() => void reservation.refetch()} />;
  }
  const row = reservation.data;
  const zone = property.data?.timezone ?? null;
  return (
    <>
      <PageHeader
        back={back}
        title={row.guest_name}
        badge={
          <>
            <StatusBadge status={row.status} />
            <MailProblemBadge problem={row.mail_problem} />
          </>
        }
        description={t(`hint_${row.status}`)}
        actions={<ReservationActions reservation={row} open={open} onOpen={setOpen} />}
      />
      <ReservationNotices reservation={row} zone={zone} onOpen={setOpen} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        <div className="grid min-w-0 gap-6">
          <Card>
            <CardHeader
              title="Timeline"
              description={`What happened, in order, on the property’s clock (${zone ?? 'UTC'}).`}
            />
            <Timeline id={row.id} zone={zone} />
          </Card>
          <MailHistory id={row.id} zone={zone} />
        </div>
        <div className="grid min-w-0 gap-6">
          <StayCard reservation={row} property={property.data?.name} zone={zone} />
          <ArrivalPanel reservation={row} zone={zone} onRelease={() => setOpen('release')} />
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
  const t = useTranslations('reservations');
  return (
    <Card>
      <CardHeader title="Stay" />
      <CardBody>
        <FactLines
          items={[
            { label: 'Check-in', value: <CalendarDay value={row.checkin_date} weekday /> },
            { label: 'Check-out', value: <CalendarDay value={row.checkout_date} weekday /> },
            {
              label: 'Property',
              value: (
                <Link href={paths.property(row.property_id)} className="underline underline-offset-4">
                  {property ?? row.property_id}
                </Link>
              ),
            },
            {
              label: 'Packet',
              value: row.packet ? (
                <Link href={paths.packet(row.property_id, row.packet.id)} className="underline underline-offset-4">
                  {row.packet.name}
                </Link>
              ) : (
                <span className="text-warning">The property has no active packet</span>
              ),
            },
            { label: 'Source', value: t(`source_${row.source}`) },
            ...(row.external_id
              ? [{ label: 'Booking code', value: <CopyableId value={row.external_id} label="booking code" /> }]
              : []),
            {
              label: 'E-mail',
              value: row.guest_contact_missing ? (
                <span className="text-warning">No address yet</span>
              ) : (
                <>
                  {row.guest_email}
                  {row.guest_email_relay ? (
                    <span className="block text-ink-soft text-xs">
                      The channel’s relay: it passes mail on to the guest.
                    </span>
                  ) : null}
                </>
              ),
            },
            ...(row.locale ? [{ label: 'Language', value: languageName(row.locale) }] : []),
            ...(row.guest_phone_last4 ? [{ label: 'Phone', value: `ends in ${row.guest_phone_last4}` }] : []),
            { label: 'Created', value: <DateTime value={row.created_at} zone={zone} /> },
            { label: 'Sent', value: <DateTime value={row.sent_at} zone={zone} /> },
            { label: 'Signed', value: <DateTime value={row.signed_at} zone={zone} /> },
            ...(row.signature_id
              ? [
                  {
                    label: 'Certificate',
                    value: (
                      <Link href={paths.certificate(row.signature_id)} className="underline underline-offset-4">
                        What was signed
                      </Link>
                    ),
                  },
                ]
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
  return (
    <>
      <PageHeader back={back} title="Reservation" />
      <NotFoundOrError
        error={error}
        noun="reservation"
        list={{ href: paths.reservations, label: 'All reservations' }}
        onRetry={onRetry}
      />
    </>
  );
}

function DetailSkeleton() {
  return (
    <div aria-busy="true">
      <PageHeader back={back} title={null} description={<Skeleton className="h-4 w-64" />} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        <Skeleton className="h-80 rounded-xl" />
        <Skeleton className="h-64 rounded-xl" />
      </div>
    </div>
  );
}

/** “Brazilian Portuguese”, in the dashboard's own language. */
const languageName = (tag: string) => new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag;
