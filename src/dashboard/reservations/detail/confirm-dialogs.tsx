'use client';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog';
import type { Reservation } from '../queries';

export type Confirmed = 'send' | 'resend' | 'cancel' | 'delete' | 'sign_manually';

interface ConfirmDialogsProps {
  open: string | null;
  onClose: () => void;
  reservation: Reservation;
  test: boolean;
  mail_is_sent: boolean;
  pending: Record<Confirmed, boolean>;
  onConfirm: (what: Confirmed) => void;
}

/** The questions before what cannot be taken back, each saying what will happen. */
export function ConfirmDialogs({
  open,
  onClose,
  reservation,
  test,
  mail_is_sent,
  pending,
  onConfirm,
}: ConfirmDialogsProps) {
  const target = test
    ? 'The mail is rendered and kept here; nobody receives it.'
    : mail_is_sent
      ? `The mail goes to ${reservation.guest_email}.`
      : 'Mail is not set up here, so nobody is mailed: you get the link, to give to the guest yourself.';
  const dialog = (what: Confirmed) => ({
    open: open === what,
    onOpenChange: onClose,
    pending: pending[what],
    onConfirm: () => onConfirm(what),
  });
  return (
    <>
      <ConfirmDialog {...dialog('send')} title={`Send the packet to ${reservation.guest_name}?`} confirmLabel="Send">
        {target} It holds the link to the house rules, to be signed before arrival.
      </ConfirmDialog>
      <ConfirmDialog {...dialog('resend')} title="Send it again with a fresh link?" confirmLabel="Resend">
        {target} The link of the earlier mail stops working.
      </ConfirmDialog>
      <ConfirmDialog
        {...dialog('cancel')}
        danger
        title="Cancel this reservation?"
        confirmLabel="Cancel the reservation"
      >
        {reservation.sent_at
          ? 'The guest can no longer sign, and the link shows that the reservation was cancelled. '
          : 'Nothing was sent to the guest. '}
        Your webhook endpoints hear of it.
      </ConfirmDialog>
      <ConfirmDialog {...dialog('delete')} danger title="Delete this draft?" confirmLabel="Delete the draft">
        It goes with its timeline, and cannot be brought back. To keep it out of the way only, set it aside instead.
      </ConfirmDialog>
      <ConfirmDialog {...dialog('sign_manually')} title="Mark it as signed?" confirmLabel="Mark as signed">
        Do this when the guest signed on paper. There is no certificate, the mark stays visible, what waited for the
        signature is released to the guest, and it cannot be undone.
      </ConfirmDialog>
    </>
  );
}
