'use client';
import { Notice } from '../../developers/notice';
import { Button } from '../../ui/button';
import { CalendarDay, DateTime } from '../../ui/date-time';
import type { Reservation } from '../queries';
import type { OpenDialog } from './reservation-actions';

interface ReservationNoticesProps {
  reservation: Reservation;
  zone: string | null;
  onOpen: (dialog: OpenDialog) => void;
}

/** What waits for the host, with what to do about it. */
export function ReservationNotices({ reservation, zone, onOpen }: ReservationNoticesProps) {
  const { actions } = reservation;
  const unsent = reservation.status === 'draft' || reservation.status === 'synced';
  const no_address = reservation.guest_contact_missing && unsent;
  const not_mailed = reservation.mail_problem?.status === 'captured';
  if (!reservation.dates_changed_after_send_at && !no_address && !not_mailed && !reservation.legal_hold) return null;
  return (
    <div className="mb-6 grid gap-3">
      {reservation.dates_changed_after_send_at ? (
        <Notice
          tone="warning"
          title="The dates changed after the packet was sent"
          actions={
            <Button
              variant="secondary"
              size="sm"
              disabledReason={actions.resend.allowed ? null : actions.resend.message}
              onClick={() => onOpen('resend')}
            >
              Send it again
            </Button>
          }
        >
          The calendar moved the stay to <CalendarDay value={reservation.checkin_date} /> until{' '}
          <CalendarDay value={reservation.checkout_date} /> (
          <DateTime value={reservation.dates_changed_after_send_at} zone={zone} />
          ). The guest’s mail still names the earlier days.
        </Notice>
      ) : null}
      {no_address ? (
        <Notice
          tone="warning"
          title="Nobody knows the guest’s e-mail address"
          actions={
            <>
              <Button variant="secondary" size="sm" onClick={() => onOpen('edit')}>
                Add the address
              </Button>
              <Button variant="secondary" size="sm" onClick={() => onOpen('share')}>
                Share a link
              </Button>
            </>
          }
        >
          The packet cannot be mailed. Add the address, or share a link through the channel’s own messages: there the
          guest enters one and confirms it.
        </Notice>
      ) : null}
      {not_mailed ? (
        <Notice
          tone="warning"
          title="The guest has got no mail"
          actions={
            <Button variant="secondary" size="sm" onClick={() => onOpen('links')}>
              Show the link
            </Button>
          }
        >
          Mail is not set up on this installation. Give the guest the link yourself, through the channel’s own messages.
        </Notice>
      ) : null}
      {reservation.legal_hold ? (
        <Notice tone="info" title="Under legal hold">
          It can be neither cancelled nor deleted until the owner lifts the hold on its certificate.
        </Notice>
      ) : null}
    </div>
  );
}
