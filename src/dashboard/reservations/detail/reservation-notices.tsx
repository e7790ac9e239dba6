'use client';
import { useMutation } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../../developers/notice';
import { useMe, usePermissions } from '../../shell/me';
import { useTRPC } from '../../trpc';
import type { Reservation } from '../../types';
import { Button } from '../../ui/button';
import { CalendarDay, DateTime } from '../../ui/date-time';
import { AnchorButton } from '../../ui/link-button';
import { isBookingRepeatedFromOtherCalendar, isReservationUnsent } from '../status-words';
import { MissingLegalNameNotice } from './legal-name-notice';
import type { ReservationDialogName } from './reservation-actions';
import { DoubleBookingNotices } from './same-nights-notices';

interface ReservationNoticesProps {
  reservation: Reservation;
  zone: string | null;
  onOpen: (dialog: ReservationDialogName) => void;
}

/** Shows what needs the host's attention, with the actions for it. */
export function ReservationNotices({ reservation, zone, onOpen }: ReservationNoticesProps) {
  const t = useTranslations('reservation_detail');
  const { actions } = reservation;
  const no_address =
    reservation.guest_contact_missing &&
    isReservationUnsent(reservation) &&
    !isBookingRepeatedFromOtherCalendar(reservation);
  const not_mailed = reservation.mail_problem?.status === 'captured';
  const { user, mode, mail_is_sent } = useMe();
  const { handles_guests } = usePermissions();
  const nameless = mode === 'live' && user.role === 'owner' && isReservationUnsent(reservation);
  const { guest_reply, legal_hold } = reservation;
  const shared = reservation.same_nights.length > 0;
  const moved = reservation.dates_changed_after_send_at !== null;
  if (!handles_guests) return null;
  if (!shared && !moved && !no_address && !not_mailed && !legal_hold && !guest_reply && !nameless) return null;
  return (
    <div className="mb-6 grid gap-3">
      {guest_reply ? <GuestReplyNotice reservation={reservation} reply={guest_reply} zone={zone} /> : null}
      {nameless ? <MissingLegalNameNotice /> : null}
      <DoubleBookingNotices reservation={reservation} />
      {reservation.dates_changed_after_send_at ? (
        <Notice
          tone="warning"
          title={t('the_dates_changed_after_the_packet_was')}
          actions={
            <Button
              variant="secondary"
              size="sm"
              disabledReason={actions.resend.allowed ? null : actions.resend.message}
              onClick={() => onOpen('resend')}
            >
              {t('send_it_again')}
            </Button>
          }
        >
          {t.rich('the_calendar_moved_the_stay', {
            from: () => <CalendarDay value={reservation.checkin_date} />,
            until: () => <CalendarDay value={reservation.checkout_date} />,
            time: () => <DateTime value={reservation.dates_changed_after_send_at} zone={zone} />,
          })}
        </Notice>
      ) : null}
      {no_address ? (
        <Notice
          tone="warning"
          title={t('nobody_knows_the_guests_e_mail_address')}
          actions={
            <>
              <Button variant="secondary" size="sm" onClick={() => onOpen('edit')}>
                {t('add_the_address')}
              </Button>
              <Button variant="secondary" size="sm" onClick={() => onOpen('share')}>
                {t('share_a_link')}
              </Button>
            </>
          }
        >
          {t('the_packet_cannot_be_mailed_add_the')}
        </Notice>
      ) : null}
      {not_mailed ? (
        <Notice
          tone="warning"
          title={t('the_guest_has_got_no_mail')}
          actions={
            mail_is_sent && actions.resend.allowed ? (
              <Button variant="secondary" size="sm" onClick={() => onOpen('resend')}>
                {t('send_it_again')}
              </Button>
            ) : (
              <Button variant="secondary" size="sm" onClick={() => onOpen('links')}>
                {t('show_the_link')}
              </Button>
            )
          }
        >
          {t(mail_is_sent ? 'mail_was_not_set_up_then' : 'mail_is_not_set_up_on_this')}
        </Notice>
      ) : null}
      {reservation.legal_hold ? (
        <Notice tone="info" title={t('under_legal_hold')}>
          {t('it_can_be_neither_cancelled_nor_deleted')}
        </Notice>
      ) : null}
    </div>
  );
}

interface GuestReplyNoticeProps {
  reservation: Reservation;
  reply: NonNullable<Reservation['guest_reply']>;
  zone: string | null;
}

/** Shows the message of a guest who did not sign, until a member has handled it. */
function GuestReplyNotice({ reservation, reply, zone }: GuestReplyNoticeProps) {
  const t = useTranslations('reservation_detail');
  const trpc = useTRPC();
  const settle = useMutation(trpc.reservations.settle_guest_reply.mutationOptions());
  const { guest_email, guest_contact_missing } = reservation;
  return (
    <Notice
      tone="warning"
      title={reply.kind === 'question' ? t('the_guest_has_a_question') : t('the_guest_does_not_agree')}
      actions={
        <>
          {guest_contact_missing ? null : (
            <AnchorButton variant="secondary" size="sm" href={`mailto:${encodeURIComponent(guest_email)}`}>
              {t('write_to_the_guest')}
            </AnchorButton>
          )}
          <Button
            variant="secondary"
            size="sm"
            pending={settle.isPending}
            onClick={() => settle.mutate({ id: reservation.id })}
          >
            {t('dealt_with')}
          </Button>
        </>
      }
    >
      {reply.message ? <span className="block whitespace-pre-line break-words">“{reply.message}”</span> : null}
      {t.rich('nothing_was_signed_the_link_still_works', { time: () => <DateTime value={reply.at} zone={zone} /> })}
    </Notice>
  );
}
