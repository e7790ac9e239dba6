'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { MoreHorizontal, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { QueryErrorPanel } from '../query-error';
import { useMe } from '../shell/me';
import { type ProcedureOutputs, useTRPC } from '../trpc';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { lazyComponent } from '../ui/lazy-component';
import { useHasOverlayOpened } from '../ui/overlay/dialog';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../ui/overlay/dropdown-menu';
import { Skeleton } from '../ui/skeleton';

const InviteDialog = lazyComponent(() => import('./invite-dialog').then((file) => file.InviteDialog));
const RoleDialog = lazyComponent(() => import('./role-dialog').then((file) => file.RoleDialog));
const RemoveMemberDialog = lazyComponent(() =>
  import('./remove-member-dialog').then((file) => file.RemoveMemberDialog),
);

type Member = ProcedureOutputs['accounts']['list_members'][number];

export function MembersTab() {
  const t = useTranslations('settings');
  const ui = useTranslations('ui');
  const trpc = useTRPC();
  const { user } = useMe();
  const owner = user.role === 'owner';
  const members = useQuery(trpc.accounts.list_members.queryOptions());
  const invitations = useQuery(trpc.accounts.list_invitations.queryOptions(undefined, { enabled: owner }));
  const [inviting, setInviting] = useState(false);
  const was_inviting = useHasOverlayOpened(inviting);
  return (
    <Card>
      <CardHeader
        title={t('members')}
        description={t('members_lead')}
        actions={
          <Button disabledReason={owner ? null : ui('owners_only')} onClick={() => setInviting(true)}>
            <UserPlus aria-hidden />
            {t('invite')}
          </Button>
        }
      />
      {members.error && !members.data ? (
        <QueryErrorPanel title={t('the_members_could_not_be_loaded')} query={members} />
      ) : null}
      <ul className="divide-y divide-line" aria-label={t('members')}>
        {members.isPending ? (
          <li className="px-5 py-4">
            <Skeleton className="h-9 w-1/2" />
          </li>
        ) : null}
        {members.data?.map((member) => (
          <MemberRow key={member.id} member={member} self={member.user_id === user.id} owner={owner} />
        ))}
        {invitations.data?.map((invitation) => (
          <InvitationRow key={invitation.id} {...invitation} />
        ))}
      </ul>
      {was_inviting ? <InviteDialog open={inviting} onClose={() => setInviting(false)} /> : null}
    </Card>
  );
}

function MemberRow({ member, self, owner }: { member: Member; self: boolean; owner: boolean }) {
  const t = useTranslations('settings');
  const [removing, setRemoving] = useState(false);
  const was_removing = useHasOverlayOpened(removing);
  const [changing, setChanging] = useState(false);
  return (
    <li className="flex items-center gap-3 px-5 py-3.5 text-sm">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">
          {member.name} {self ? <span className="font-normal text-ink-soft">{t('you')}</span> : null}
        </p>
        <p className="truncate text-ink-soft">{member.email}</p>
      </div>
      {member.two_factor_enabled ? <Badge tone="success">{t('two_factor')}</Badge> : null}
      <Badge tone={member.role === 'owner' ? 'primary' : 'neutral'}>{t(`role_name_${member.role}`)}</Badge>
      {owner && !self ? (
        <Menu>
          <MenuTrigger asChild>
            <Button variant="ghost" size="icon" aria-label={t('actions_for_member', { member: member.name })}>
              <MoreHorizontal aria-hidden />
            </Button>
          </MenuTrigger>
          <MenuContent align="end">
            <MenuItem onSelect={() => setChanging(true)}>{t('role_change')}</MenuItem>
            <MenuItem danger onSelect={() => setRemoving(true)}>
              {t('remove_from_the_team')}
            </MenuItem>
          </MenuContent>
        </Menu>
      ) : null}
      {changing ? <RoleDialog member={member} open={changing} onOpenChange={setChanging} /> : null}
      {was_removing ? <RemoveMemberDialog member={member} open={removing} onOpenChange={setRemoving} /> : null}
    </li>
  );
}

function InvitationRow({ id, email, role, expires_at }: ProcedureOutputs['accounts']['list_invitations'][number]) {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const revoke = useMutation(trpc.accounts.revoke_invitation.mutationOptions());
  return (
    <li className="flex flex-wrap items-center gap-3 px-5 py-3.5 text-sm">
      <div className="min-w-0 flex-1 basis-full sm:basis-0">
        <p className="truncate font-medium">{email}</p>
        <p className="text-ink-soft">
          {t.rich('invited_as_role_open_until', {
            role: t(`role_${role}`),
            time: () => <DateTime value={expires_at} />,
          })}
        </p>
      </div>
      <Badge tone="info">{t('invited')}</Badge>
      <Button variant="secondary" size="sm" pending={revoke.isPending} onClick={() => revoke.mutate({ id })}>
        {t('withdraw')}
      </Button>
    </li>
  );
}
