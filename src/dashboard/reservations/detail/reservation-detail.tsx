'use client';
import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { ReservationSourceNameText } from '../../channel-names';
import { useFormattingLocale } from '../../i18n/formats';
import { NotFoundOrErrorCard } from '../../not-found-or-error';
import { paths } from '../../paths';
import { usePermissions } from '../../shell/me';
import { useTRPC } from '../../trpc';
import type { Reservation } from '../../types';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader, CompactDescriptionList } from '../../ui/card';
import { CopyableId } from '../../ui/copy-field';
import { CalendarDay, DateTime } from '../../ui/date-time';
import { retryImport } from '../../ui/lazy-component';
import { Link } from '../../ui/link';
import { PageHeader } from '../../ui/page-header';
import { Skeleton } from '../../ui/skeleton';
import { MailProblemBadge, StatusBadge } from '../badges';
import { isReservationUnsent } from '../status-words';
import { ArrivalDetailsPanel } from './arrival-panel';
import { ReservationActions, type ReservationDialogName } from './reservation-actions';
import { ReservationNotices } from './reservation-notices';

// Loaded separately, because it is not needed for the first interaction.
const MailHistory = dynamic(() =>
  retryImport(() => import('./mail-history').then((file) => file.ReservationMailHistory)),
);
const Timeline = dynamic(() => retryImport(() => import('./timeline').then((file) => file.ReservationTimeline)));

function useBack() {
  const t = useTranslations('reservations');
  return { href: paths.reservations, label: t('reservations') };
}

export function ReservationDetail({ id }: { id: string }) {
  const back = useBack();
  const say = useTranslations('reservation_detail');
  const t = useTranslations('reservations');
  const trpc = useTRPC();
  const reservation = useQuery(trpc.reservations.retrieve.queryOptions({ id }, { refetchInterval: 15_000 }));
  const property = useQuery(
    trpc.properties.retrieve.queryOptions(
      { id: reservation.data?.property_id ?? '' },
      { enabled: Boolean(reservation.data?.property_id), staleTime: 60_000 },
    ),
  );
  const [open, setOpen] = useState<ReservationDialogName | null>(null);
  const { handles_guests } = usePermissions();
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
        description={row.certificate?.pdf_available === false ? say('hint_sealing') : t(`hint_${row.status}`)}
        actions={<ReservationActions reservation={row} open={open} onOpen={setOpen} />}
      />
      <ReservationNotices reservation={row} zone={zone} onOpen={setOpen} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        {/* On a phone, the stay is above its history. */}
        <div className="grid min-w-0 gap-6 lg:order-last">
          <StayCard
            reservation={row}
            property={property.data?.name}
            zone={zone}
            onOpen={handles_guests ? setOpen : null}
          />
          <ArrivalDetailsPanel
            reservation={row}
            zone={zone}
            onRelease={handles_guests ? () => setOpen('release') : null}
          />
        </div>
        <div className="grid min-w-0 gap-6">
          <Card>
            <CardHeader
              title={say('timeline')}
              description={say('what_happened_in_order_on_the_propertys', { zone: zone ?? 'UTC' })}
            />
            <Timeline id={row.id} zone={zone} />
          </Card>
          {handles_guests ? <MailHistory id={row.id} zone={zone} /> : null}
        </div>
      </div>
    </>
  );
}

function StayCard({
  reservation: row,
  property,
  zone,
  onOpen,
}: {
  reservation: Reservation;
  property?: string;
  zone: string | null;
  /** Null when the user's role may not change reservations. */
  onOpen: ((dialog: ReservationDialogName) => void) | null;
}) {
  const formats = useFormattingLocale();
  const say = useTranslations('reservation_detail');
  const editing = isReservationUnsent(row) ? 'edit' : 'guest';
  const editable = row.actions[editing === 'edit' ? 'update' : 'correct_guest'].allowed;
  return (
    <Card>
      <CardHeader title={say('stay')} />
      <CardBody>
        <CompactDescriptionList
          items={[
            { label: say('check_in'), value: <CalendarDay value={row.checkin_date} weekday /> },
            { label: say('check_out'), value: <CalendarDay value={row.checkout_date} weekday /> },
            {
              label: say('property'),
              value: (
                <Link href={paths.property(row.property_id)} className="underline underline-offset-4">
                  {property ?? row.property_id}
                </Link>
              ),
            },
            {
              label: say('packet'),
              value: row.packet ? (
                <Link href={paths.packet(row.property_id, row.packet.id)} className="underline underline-offset-4">
                  {row.packet.name}
                </Link>
              ) : (
                <span className="text-warning">{say('the_property_has_no_active_packet')}</span>
              ),
            },
            { label: say('source'), value: <ReservationSourceNameText source={row.source} /> },
            ...(row.external_id
              ? [
                  {
                    label: say('booking_code'),
                    value: <CopyableId value={row.external_id} label={say('booking_code_2')} />,
                  },
                ]
              : []),
            {
              label: say('e_mail'),
              value: row.guest_contact_missing ? (
                <span className="text-warning">{say('no_address_yet')}</span>
              ) : (
                <>
                  <span className="inline-flex min-w-0 max-w-full items-center gap-0.5">
                    <span className="min-w-0 break-words">{row.guest_email}</span>
                    {onOpen && editable ? (
                      <Button
                        variant="ghost"
                        size="icon"
                        className="size-7!"
                        aria-label={say('correct_guest_title')}
                        onClick={() => onOpen(editing)}
                      >
                        <Pencil aria-hidden />
                      </Button>
                    ) : null}
                  </span>
                  {row.guest_email_relay ? (
                    <span className="block text-ink-soft text-xs">{say('the_channels_relay_it_passes_mail_on')}</span>
                  ) : null}
                </>
              ),
            },
            ...(row.locale ? [{ label: say('language'), value: languageName(row.locale, formats) }] : []),
            ...(row.guest_phone_last4
              ? [
                  {
                    label: say('phone'),
                    value: say('ends_in', { digits: row.guest_phone_last4 }),
                  },
                ]
              : []),
            { label: say('created'), value: <DateTime value={row.created_at} zone={zone} /> },
            { label: say('sent'), value: <DateTime value={row.sent_at} zone={zone} /> },
            { label: say('signed'), value: <DateTime value={row.signed_at} zone={zone} /> },
            ...(row.signature_id
              ? [
                  {
                    label: say('certificate'),
                    value: (
                      <Link href={paths.certificate(row.signature_id)} className="underline underline-offset-4">
                        {say('what_was_signed')}
                      </Link>
                    ),
                  },
                ]
              : []),
            ...(row.manual_override ? [{ label: say('signature'), value: say('marked_as_signed_by_the_host') }] : []),
            { label: say('id'), value: <CopyableId value={row.id} label={say('reservation_id')} /> },
          ]}
        />
      </CardBody>
    </Card>
  );
}

function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const back = useBack();
  const t = useTranslations('reservation_detail');
  return (
    <>
      <PageHeader back={back} title={t('reservation')} />
      <NotFoundOrErrorCard
        error={error}
        noun={t('reservation_2')}
        list={{ href: paths.reservations, label: t('all_reservations') }}
        onRetry={onRetry}
      />
    </>
  );
}

function DetailSkeleton() {
  const back = useBack();
  return (
    <div aria-busy="true">
      <PageHeader back={back} title={null} description={<Skeleton className="h-4 w-64" />} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,22rem)]">
        <Skeleton className="h-80 rounded-xl!" />
        <Skeleton className="h-64 rounded-xl!" />
      </div>
    </div>
  );
}

/** Returns the name of a language in the dashboard's language: “Brazilian Portuguese”. */
const languageName = (tag: string, formats: string) =>
  new Intl.DisplayNames([formats], { type: 'language' }).of(tag) ?? tag;
