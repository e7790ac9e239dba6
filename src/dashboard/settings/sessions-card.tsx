'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Laptop, Smartphone } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { QueryErrorPanel } from '../query-error';
import { useTRPC } from '../trpc';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { toast } from '../ui/overlay/toaster';
import { Skeleton } from '../ui/skeleton';
import { describeBrowser } from './user-agent';

/**
 * Lists where the user is signed in. Also shown to members whose sign-in does not meet the team's
 * rules.
 */
export function SessionsCard() {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const sessions = useQuery(trpc.accounts.list_sessions.queryOptions());
  const revoke = useMutation(trpc.accounts.revoke_session.mutationOptions());
  const revokeOthers = useMutation(
    trpc.accounts.revoke_other_sessions.mutationOptions({
      onSuccess: () => void toast.success(t('signed_out_everywhere_else')),
    }),
  );
  const others = sessions.data?.some((session) => !session.current) ?? false;
  return (
    <Card>
      <CardHeader
        title={t('sessions')}
        description={t('where_you_are_signed_in')}
        actions={
          <Button
            variant="secondary"
            disabledReason={others ? null : t('this_is_your_only_session')}
            pending={revokeOthers.isPending}
            onClick={() => revokeOthers.mutate()}
          >
            {t('sign_out_everywhere_else')}
          </Button>
        }
      />
      {sessions.error && !sessions.data ? (
        <QueryErrorPanel title={t('the_sessions_could_not_be_loaded')} query={sessions} />
      ) : null}
      <ul className="divide-y divide-line" aria-label={t('sessions')}>
        {sessions.isPending ? (
          <li className="px-5 py-4">
            <Skeleton className="h-9 w-1/2" />
          </li>
        ) : null}
        {sessions.data?.map((session) => {
          const browser = describeBrowser(session.user_agent, t);
          const Icon = browser.phone ? Smartphone : Laptop;
          return (
            <li key={session.id} className="flex items-center gap-3.5 px-5 py-3.5 text-sm">
              <Icon className="size-5 shrink-0 text-ink-soft" aria-hidden />
              <div className="min-w-0 flex-1">
                <p className="font-medium">{browser.name}</p>
                <p className="text-ink-soft">
                  {session.ip ? `${session.ip} · ` : ''}
                  {t.rich('since', { time: () => <DateTime value={session.created_at} /> })}
                </p>
              </div>
              {session.current ? (
                <Badge tone="success">{t('this_one')}</Badge>
              ) : (
                <Button
                  variant="secondary"
                  size="sm"
                  pending={revoke.isPending && revoke.variables?.id === session.id}
                  onClick={() => revoke.mutate({ id: session.id })}
                >
                  {t('sign_out')}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
