'use client';
import { Link2, Mail, RotateCw, XCircle } from 'lucide-react';
import { useState } from 'react';
import { useMe } from '../shell/me';
import { Button } from '../ui/button';
import { ConfirmDialog } from '../ui/confirm-dialog';
import { toast } from '../ui/toaster';
import { refusals } from './actions';
import { LinksDialog } from './links-dialog';
import { type Reservation, useReservationAction } from './queries';

/** The buttons of a reservation. One that cannot act says why. */
export function ReservationActions({ reservation, timezone }: { reservation: Reservation; timezone: string | null }) {
  const [open, setOpen] = useState<'send' | 'resend' | 'cancel' | 'links' | null>(null);
  const test = useMe().mode === 'test';
  const done = (text: string) => {
    setOpen(null);
    toast.success(text);
  };
  const mailed = test
    ? 'Sent in test mode. The mail is in the preview below.'
    : `Mailed to ${reservation.guest_email}.`;
  const send = useReservationAction('send', () => done(mailed));
  const resend = useReservationAction('resend', () => done(mailed));
  const cancel = useReservationAction('cancel', () => done('Cancelled. The guest’s link is dead.'));
  const why = refusals(reservation, timezone, new Date());
  const unsent = reservation.sent_at === null;
  const close = () => setOpen(null);
  const target = test
    ? 'The mail is rendered for the preview; nobody receives it.'
    : `The mail goes to ${reservation.guest_email}.`;

  return (
    <>
      {unsent ? (
        <Button disabledReason={why.send} onClick={() => setOpen('send')}>
          <Mail aria-hidden />
          Send
        </Button>
      ) : (
        <Button variant="secondary" disabledReason={why.resend} onClick={() => setOpen('resend')}>
          <RotateCw aria-hidden />
          Resend
        </Button>
      )}
      <Button variant="secondary" disabledReason={why.copy_link} onClick={() => setOpen('links')}>
        <Link2 aria-hidden />
        Links
      </Button>
      <Button variant="secondary" disabledReason={why.cancel} onClick={() => setOpen('cancel')}>
        <XCircle aria-hidden />
        Cancel
      </Button>

      <ConfirmDialog
        open={open === 'send'}
        onOpenChange={close}
        title={`Send the packet to ${reservation.guest_name}?`}
        confirmLabel="Send"
        pending={send.isPending}
        onConfirm={() => send.mutate({ id: reservation.id })}
      >
        {target} It holds the link to the house rules, to be signed before arrival.
      </ConfirmDialog>
      <ConfirmDialog
        open={open === 'resend'}
        onOpenChange={close}
        title="Send it again with a fresh link?"
        confirmLabel="Resend"
        pending={resend.isPending}
        onConfirm={() => resend.mutate({ id: reservation.id })}
      >
        {target} The link of the earlier mail stops working.
      </ConfirmDialog>
      <ConfirmDialog
        open={open === 'cancel'}
        onOpenChange={close}
        danger
        title="Cancel this reservation?"
        confirmLabel="Cancel the reservation"
        pending={cancel.isPending}
        onConfirm={() => cancel.mutate({ id: reservation.id })}
      >
        The guest can no longer sign, and the link shows that the reservation was cancelled. Your webhook endpoints hear
        of it.
      </ConfirmDialog>
      {open === 'links' ? <LinksDialog id={reservation.id} onClose={close} /> : null}
    </>
  );
}
