'use client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { type ProcedureOutputs, useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { Dialog } from '../ui/overlay/dialog';
import { toast } from '../ui/overlay/toaster';
import { buildMemberRoleApiInput, type MemberRoleFormValues, RoleFields } from './role-fields';

type Member = ProcedureOutputs['accounts']['list_members'][number];

/** Changes a member's role and the limits of the role. */
export function RoleDialog({
  member,
  open,
  onOpenChange,
}: {
  member: Member;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const { role, property_ids, sees_guests } = member;
  const [choice, setChoice] = useState<MemberRoleFormValues>({ role, property_ids, sees_guests });
  const [empty, setEmpty] = useState(false);
  const update = useMutation(
    trpc.accounts.update_member.mutationOptions({
      onSuccess: () => {
        onOpenChange(false);
        toast.success(t('role_changed', { member: member.name }));
      },
    }),
  );
  const save = () => {
    const none = choice.role === 'co_host' && choice.property_ids.length === 0;
    setEmpty(none);
    if (!none) update.mutate({ id: member.id, ...buildMemberRoleApiInput(choice) });
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title={t('role_of', { member: member.name })}
      dismissLabel={t('not_now')}
      footer={
        <Button onClick={save} pending={update.isPending}>
          {t('save')}
        </Button>
      }
    >
      <RoleFields
        value={choice}
        onChange={(value) => {
          setChoice(value);
          setEmpty(false);
        }}
        withGuests
        error={empty ? t('role_choose_a_property') : undefined}
      />
      {choice.role !== role && choice.role !== 'owner' ? (
        <p className="mt-4 text-ink-soft text-sm">{t('role_lowered')}</p>
      ) : null}
    </Dialog>
  );
}
