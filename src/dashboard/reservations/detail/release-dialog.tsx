'use client';
import { useState } from 'react';
import type { ArrivalGroup } from '@/modules/packets/schemas';
import { OVERRIDE_REASON_MAX } from '@/modules/reservations/rules/arrival-release';
import { Checkbox } from '../../developers/checkbox';
import { ARRIVAL_LABELS } from '../../packets/labels';
import { Refusal } from '../../properties/form-parts';
import { readError } from '../../read-error';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Textarea } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';
import { useReleaseArrival } from '../queries';

interface ReleaseDialogProps {
  id: string;
  guest: string;
  /** The groups the guest cannot see now. */
  withheld: ArrivalGroup[];
  signed: boolean;
  onClose: () => void;
}

/** Shows the guest what was to wait for the signature: all of it or some, and why. The reason stays in the trail. */
export function ReleaseDialog({ id, guest, withheld, signed, onClose }: ReleaseDialogProps) {
  const [chosen, setChosen] = useState<ReadonlySet<ArrivalGroup>>(new Set(withheld));
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const release = useReleaseArrival(() => {
    toast.success(`${guest} can see it now.`);
    onClose();
  });
  const groups = withheld.filter((group) => chosen.has(group));
  const no_reason = tried && reason.trim() === '';
  const no_group = tried && groups.length === 0;
  const submit = () => {
    setTried(true);
    if (reason.trim() === '' || groups.length === 0) return;
    release.mutate({ id, reason: reason.trim(), groups });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Release arrival details early?"
      description={`${guest} ${signed ? 'has signed' : 'has not signed'}. What you release now is visible at once and cannot be hidden again.`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep as it is
          </Button>
          <Button pending={release.isPending} onClick={submit}>
            Release
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <fieldset className="grid gap-2.5" aria-describedby={no_group ? 'no-group' : undefined}>
          <legend className="mb-1.5 font-medium text-sm">What to release</legend>
          {withheld.map((group) => (
            <Checkbox
              key={group}
              label={ARRIVAL_LABELS[group]}
              checked={chosen.has(group)}
              onChange={(event) => {
                const next = new Set(chosen);
                if (event.target.checked) next.add(group);
                else next.delete(group);
                setChosen(next);
              }}
            />
          ))}
          {no_group ? (
            <p id="no-group" role="alert" className="text-danger text-sm">
              Choose at least one.
            </p>
          ) : null}
        </fieldset>
        <Field
          label="Why"
          hint="It is kept in the reservation’s trail, with your name."
          error={no_reason ? 'Give a reason.' : undefined}
        >
          {(control) => (
            <Textarea
              {...control}
              value={reason}
              maxLength={OVERRIDE_REASON_MAX}
              placeholder="The guest called from the airport and signs on paper."
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <Refusal refused={release.error ? readError(release.error) : null} />
      </div>
    </Dialog>
  );
}
