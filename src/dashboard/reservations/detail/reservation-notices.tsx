'use client';
import { Notice } from '../../developers/notice';
import { Button } from '../../ui/button';
import { CalendarDay, DateTime } from '../../ui/date-time';
import { type Reservation, useHostAction } from '../queries';
import { isRepeat, isUnsent } from '../status-words';
import type { OpenDialog } from './reservation-actions';
import { SameNightsNotices } from './same-nights-notices';

interface ReservationNoticesProps {
  reservation: Reservation;
  zone: string | null;
  onOpen: (dialog: OpenDialog) => void;
}

/** What waits for the host, with what to do about it. */
export function ReservationNotices({ reservation, zone, onOpen }: ReservationNoticesProps) {
  const { actions } = reservation;
  const no_address = reservation.guest_contact_missing && isUnsent(reservation) && !isRepeat(reservation);
  const not_mailed = reservation.mail_problem?.status === 'captured';
  const { guest_reply, legal_hold } = reservation;
  const shared = reservation.same_nights.length > 0;
  const moved = reservation.dates_changed_after_send_at !== null;
  if (!shared && !moved && !no_address && !not_mailed && !legal_hold && !guest_reply) return null;
  return (
    <div className="mb-6 grid gap-3">
      {guest_reply ? <GuestReplyNotice reservation={reservation} reply={guest_reply} zone={zone} /> : null}
      <SameNightsNotices reservation={reservation} onOpen={onOpen} />
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

interface GuestReplyNoticeProps {
  reservation: Reservation;
  reply: NonNullable<Reservation['guest_reply']>;
  zone: string | null;
}

/** What the guest said instead of signing, until somebody has dealt with it. */
function GuestReplyNotice({ reservation, reply, zone }: GuestReplyNoticeProps) {
  const settle = useHostAction('settle_guest_reply');
  const { guest_email, guest_contact_missing } = reservation;
  return (
    <Notice
      tone="warning"
      title={reply.kind === 'question' ? 'The guest has a question' : 'The guest does not agree'}
      actions={
        <>
          {guest_contact_missing ? null : (
            <Button variant="secondary" size="sm" asChild>
              <a href={`mailto:${encodeURIComponent(guest_email)}`}>Write to the guest</a>
            </Button>
          )}
          <Button
            variant="secondary"
            size="sm"
            pending={settle.isPending}
            onClick={() => settle.mutate({ id: reservation.id })}
          >
            Dealt with
          </Button>
        </>
      }
    >
      {reply.message ? <span className="block whitespace-pre-line break-words">“{reply.message}”</span> : null}
      <DateTime value={reply.at} zone={zone} />. Nothing was signed; the link still works.
    </Notice>
  );
}
