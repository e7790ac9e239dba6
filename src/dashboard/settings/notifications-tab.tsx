'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { readError } from '../read-error';
import { useTRPC } from '../trpc';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { ErrorPanel } from '../ui/error-panel';
import { Skeleton } from '../ui/skeleton';
import { canNotify, type PushTrouble, subscribeBrowser } from './notifications';

/** Whether this browser tells of what guests say, each browser and team for itself. */
export function NotificationsTab() {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const state = useQuery(trpc.push.state.queryOptions());
  const keep = (now: typeof state.data) => queryClient.setQueryData(trpc.push.state.queryKey(), now);
  const turnOn = useMutation(trpc.push.turn_on.mutationOptions({ onSuccess: keep }));
  const turnOff = useMutation(trpc.push.turn_off.mutationOptions({ onSuccess: keep }));
  const [trouble, setTrouble] = useState<PushTrouble | null>(null);
  const start = async (public_key: string) => {
    setTrouble(null);
    const browser = await subscribeBrowser(public_key);
    if (typeof browser === 'string') setTrouble(browser);
    else turnOn.mutate(browser);
  };
  const { data, error } = state;
  const able = data && canNotify();
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
              pending={turnOn.isPending}
              disabled={!data}
              disabledReason={data && !able ? t('notifications_unsupported') : null}
              onClick={() => data && void start(data.public_key)}
            >
              {t('turn_it_on')}
            </Button>
          )
        }
      />
      {error && !data ? (
        <ErrorPanel
          title={t('the_notifications_could_not_be_loaded')}
          message={readError(error).message}
          requestId={readError(error).request_id}
          onRetry={() => void state.refetch()}
        />
      ) : (
        <CardBody className="grid justify-items-start gap-3 text-sm leading-relaxed">
          {data ? (
            <Badge tone={on ? 'success' : 'neutral'}>{t(on ? 'on' : 'off')}</Badge>
          ) : (
            <Skeleton className="h-5 w-12" />
          )}
          <p>
            {data && !able ? t('notifications_unsupported') : t(on ? 'notifications_are_on' : 'notifications_are_off')}
          </p>
          {trouble ? (
            <p role="alert" className="text-danger">
              {t(`notifications_${trouble}`)}
            </p>
          ) : null}
          <p className="text-ink-soft">{t('notifications_and_mail')}</p>
        </CardBody>
      )}
    </Card>
  );
}
