'use client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { ArrivalDetailGroup } from '@/modules/packets/schemas';
import { MAX_EARLY_RELEASE_REASON_LENGTH } from '@/modules/reservations/rules/arrival-release';
import { Checkbox } from '../../developers/checkbox';
import { FormErrorMessage } from '../../properties/form-parts';
import { toDisplayableError } from '../../read-error';
import { useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Textarea } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { toast } from '../../ui/overlay/toaster';

interface ReleaseDialogProps {
  id: string;
  guest: string;
  /** The groups of arrival details that the guest cannot see now. */
  withheld: ArrivalDetailGroup[];
  signed: boolean;
  onClose: () => void;
}

/** Releases some or all withheld arrival details early. The audit trail records the reason. */
export function ReleaseArrivalDetailsDialog({ id, guest, withheld, signed, onClose }: ReleaseDialogProps) {
  const t = useTranslations('reservation_detail');
  const terms = useTranslations('terms');
  const [chosen, setChosen] = useState<ReadonlySet<ArrivalDetailGroup>>(new Set(withheld));
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const trpc = useTRPC();
  const release = useMutation(
    trpc.reservations.release_arrival.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => {
        toast.success(t('guest_can_see_it_now', { guest }));
        onClose();
      },
    }),
  );
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
      title={t('release_arrival_details_early')}
      description={t(signed ? 'release_after_signing' : 'release_before_signing', { guest })}
      dismissLabel={t('keep_as_it_is')}
      footer={
        <Button pending={release.isPending} onClick={submit}>
          {t('release')}
        </Button>
      }
    >
      <div className="grid gap-5">
        <fieldset className="grid gap-2.5" aria-describedby={no_group ? 'no-group' : undefined}>
          <legend className="mb-1.5 font-medium text-sm">{t('what_to_release')}</legend>
          {withheld.map((group) => (
            <Checkbox
              key={group}
              label={terms(`arrival_${group}`)}
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
              {t('choose_at_least_one')}
            </p>
          ) : null}
        </fieldset>
        <Field
          label={t('why')}
          hint={t('it_is_kept_in_the_reservations_trail')}
          error={no_reason ? t('give_a_reason') : undefined}
        >
          {(control) => (
            <Textarea
              {...control}
              value={reason}
              maxLength={MAX_EARLY_RELEASE_REASON_LENGTH}
              placeholder={t('the_guest_called_from_the_airport_and')}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        <FormErrorMessage refused={release.error ? toDisplayableError(release.error) : null} />
      </div>
    </Dialog>
  );
}
