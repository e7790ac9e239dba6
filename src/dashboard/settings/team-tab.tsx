'use client';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { toDisplayableError } from '../read-error';
import { useMe } from '../shell/me';
import { useTRPC } from '../trpc';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader, DescriptionList } from '../ui/card';
import { CopyableId } from '../ui/copy-field';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { toast } from '../ui/overlay/toaster';
import { LanguageCard } from './language-card';
import { TeamLegalIdentityCard } from './sender-card';

export function TeamTab() {
  const t = useTranslations('settings');
  const ui = useTranslations('ui');
  const trpc = useTRPC();
  const router = useRouter();
  const { team, user } = useMe();
  const [name, setName] = useState(team.name);
  const [empty, setEmpty] = useState(false);
  const rename = useMutation(
    trpc.accounts.update_team.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => {
        toast.success(t('the_team_is_renamed'));
        router.refresh();
      },
    }),
  );
  const error = empty ? t('enter_a_name') : rename.error ? toDisplayableError(rename.error).message : undefined;
  return (
    <div className="grid gap-6">
      <Card>
        <CardHeader title={t('team')} />
        <CardBody className="grid gap-6">
          <form
            className="flex max-w-lg flex-wrap items-end gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              setEmpty(name.trim() === '');
              if (name.trim() !== '') rename.mutate({ name });
            }}
            noValidate
          >
            <Field label={t('name')} className="min-w-56 flex-1" error={error}>
              {(control) => (
                <Input
                  {...control}
                  name="name"
                  maxLength={120}
                  value={name}
                  onChange={(event) => setName(event.target.value)}
                />
              )}
            </Field>
            <Button
              type="submit"
              pending={rename.isPending}
              disabledReason={user.role === 'owner' ? null : ui('owners_only')}
            >
              {t('save')}
            </Button>
          </form>
          <DescriptionList
            items={[
              {
                label: t('plan'),
                value: (
                  <Badge tone={team.plan === 'pro' ? 'primary' : 'neutral'}>
                    {team.plan === 'pro' ? t('pro') : t('free')}
                  </Badge>
                ),
              },
              { label: t('your_role'), value: t(`role_name_${user.role}`) },
              { label: t('team_id'), value: <CopyableId value={team.id} label={t('team_id_2')} /> },
            ]}
          />
        </CardBody>
      </Card>
      <LanguageCard />
      {user.role === 'owner' ? <TeamLegalIdentityCard /> : null}
    </div>
  );
}
