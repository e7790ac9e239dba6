'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Checkbox } from '../developers/checkbox';
import { QueryErrorPanel } from '../query-error';
import { type ProcedureOutputs, useTRPC } from '../trpc';
import { ConfirmDialog } from '../ui/overlay/confirm-dialog';
import { toast } from '../ui/overlay/toaster';
import { Skeleton } from '../ui/skeleton';

type Belonging = ProcedureOutputs['accounts']['member_belongings'][number];

const keyOf = ({ kind, id }: Pick<Belonging, 'kind' | 'id'>) => `${kind} ${id}`;

/**
 * Removes a member. The owner chooses which of the member's API keys, links and other items are
 * revoked too.
 */
export function RemoveMemberDialog({
  member,
  open,
  onOpenChange,
}: {
  member: { id: string; name: string };
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const belongings = useQuery(
    trpc.accounts.member_belongings.queryOptions({ id: member.id }, { enabled: open, staleTime: 0 }),
  );
  // The member's keys, links and other items for which the owner changed the default choice.
  const [changed, setChanged] = useState<Record<string, boolean>>({});
  const ends = (one: Belonging) => changed[keyOf(one)] ?? one.gives_data;
  const remove = useMutation(
    trpc.accounts.remove_member.mutationOptions({
      onSuccess: () => {
        onOpenChange(false);
        toast.success(t('member_is_no_longer_a_member', { member: member.name }));
      },
    }),
  );
  const list = belongings.data ?? [];
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      danger
      title={t('remove_member', { member: member.name })}
      confirmLabel={t('remove')}
      pending={remove.isPending || belongings.isPending}
      onConfirm={() => remove.mutate({ id: member.id, end: list.filter(ends).map(({ kind, id }) => ({ kind, id })) })}
    >
      <p>{t('they_lose_access_at_once_what_they')}</p>
      {belongings.isPending ? <Skeleton className="mt-4 h-9" /> : null}
      {belongings.error && !belongings.data ? (
        <QueryErrorPanel title={t('belongings_not_loaded')} query={belongings} />
      ) : null}
      {list.length > 0 ? (
        <fieldset className="mt-4 grid gap-3">
          <legend className="mb-2 font-medium text-ink">{t('belongings_legend')}</legend>
          {list.map((one) => (
            <Checkbox
              key={keyOf(one)}
              checked={ends(one)}
              onChange={(event) => setChanged({ ...changed, [keyOf(one)]: event.target.checked })}
              label={t(`belongings_${one.kind}`, { name: one.name })}
              hint={one.mode === 'test' ? t('belongings_test_mode') : undefined}
            />
          ))}
        </fieldset>
      ) : null}
    </ConfirmDialog>
  );
}
