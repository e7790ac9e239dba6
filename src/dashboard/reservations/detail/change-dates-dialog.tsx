'use client';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { paths } from '../../paths';
import { Refusal } from '../../properties/form-parts';
import { readError } from '../../read-error';
import { useMe } from '../../shell/me';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { type Reservation, useChangeDates } from '../queries';
import { useTellSent } from '../tell-sent';

/** Other dates for who has the packet already, with what that means for the guest, and one press for all of it. */
export default function ChangeDatesDialog({ reservation, onClose }: { reservation: Reservation; onClose: () => void }) {
  const { id, guest_name, guest_email } = reservation;
  const form = useId();
  const router = useRouter();
  const { mode, mail_is_sent } = useMe();
  const tellSent = useTellSent();
  const [checkin, setCheckin] = useState(reservation.checkin_date);
  const [checkout, setCheckout] = useState(reservation.checkout_date);
  const change = useChangeDates((made) => {
    tellSent(made);
    router.push(paths.reservation(made.id));
    onClose();
  });
  const same = checkin === reservation.checkin_date && checkout === reservation.checkout_date;
  const backwards = checkin !== '' && checkout !== '' && checkout <= checkin;
  const refused = change.error ? readError(change.error) : null;
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Change the dates"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep as it is
          </Button>
          <Button
            type="submit"
            form={form}
            pending={change.isPending}
            disabled={same || backwards || !checkin || !checkout}
          >
            Change and send
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate({ id, checkin_date: checkin, checkout_date: checkout });
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Check-in">
            {(control) => (
              <Input {...control} type="date" value={checkin} onChange={(event) => setCheckin(event.target.value)} />
            )}
          </Field>
          <Field label="Check-out" error={backwards ? 'It must be after the check-in.' : undefined}>
            {(control) => (
              <Input
                {...control}
                type="date"
                value={checkout}
                min={checkin}
                onChange={(event) => setCheckout(event.target.value)}
              />
            )}
          </Field>
        </div>
        <div className="grid gap-2 text-ink-soft text-sm leading-relaxed">
          <p>
            {mode === 'test'
              ? `A mail with the new dates for ${guest_name} is rendered and kept here; nobody receives it.`
              : mail_is_sent
                ? `${guest_name} gets one mail with the new dates and a new link at ${guest_email}.`
                : `Mail is not set up here: give ${guest_name} the new link yourself.`}{' '}
            The link of the earlier mail says that a newer one was sent.
          </p>
          <p>
            What was sent keeps its dates: another reservation takes its place, and this one is cancelled. Your webhook
            endpoints hear of both.
          </p>
        </div>
        <Refusal refused={refused} />
      </form>
    </Dialog>
  );
}
