'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { QueryErrorPanel } from '../query-error';
import { useMe } from '../shell/me';
import { useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Skeleton } from '../ui/skeleton';
import { isBrowserPushSupported, type PushSubscriptionFailure, subscribeBrowserToPush } from './notifications';

/** Turns notifications about guests' messages on or off, separately for each browser and team. */
export function NotificationsTab() {
  const t = useTranslations('settings');
  const { mail_is_sent } = useMe();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const state = useQuery(trpc.push.state.queryOptions());
  const keep = (now: typeof state.data) => queryClient.setQueryData(trpc.push.state.queryKey(), now);
  const turnOn = useMutation(trpc.push.turn_on.mutationOptions({ onSuccess: keep }));
  const turnOff = useMutation(trpc.push.turn_off.mutationOptions({ onSuccess: keep }));
  const [trouble, setTrouble] = useState<PushSubscriptionFailure | null>(null);
  const subscribe = useMutation({
    mutationFn: subscribeBrowserToPush,
    onMutate: () => setTrouble(null),
    onSuccess: (browser) => (typeof browser === 'string' ? setTrouble(browser) : turnOn.mutate(browser)),
  });
  const { data, error } = state;
  const able = data && isBrowserPushSupported();
  const on = able && data.on && Notification.permission === 'granted';
  return (
    <Card>
      <CardHeader
        title={t('notifications_in_this_browser')}
        description={t('notifications_when')}
        actions={
          on ? (
            <Button variant="secondary" pending={turnOff.isPending} onClick={() => turnOff.mutate()}>
              {t('turn_it_off')}
            </Button>
          ) : (
            <Button
              pending={subscribe.isPending || turnOn.isPending}
              disabled={!data}
              disabledReason={data && !able ? t('notifications_unsupported') : null}
              onClick={() => data && subscribe.mutate(data.public_key)}
            >
              {t('turn_it_on')}
            </Button>
          )
        }
      />
      {error && !data ? (
        <QueryErrorPanel title={t('the_notifications_could_not_be_loaded')} query={state} />
      ) : (
        <CardBody className="grid justify-items-start gap-3 text-sm leading-relaxed">
          {data ? (
            <p>{able ? t(on ? 'notifications_are_on' : 'notifications_are_off') : t('notifications_unsupported')}</p>
          ) : (
            <Skeleton className="h-5 w-72" />
          )}
          {trouble ? (
            <p role="alert" className="text-danger">
              {t(`notifications_${trouble}`)}
            </p>
          ) : null}
          <p className="text-ink-soft">
            {t('notifications_show')} {mail_is_sent ? t('notifications_and_mail') : null}
          </p>
        </CardBody>
      )}
    </Card>
  );
}
