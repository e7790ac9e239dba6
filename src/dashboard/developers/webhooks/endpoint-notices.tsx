'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl/react';
import { paths } from '../../paths';
import { useTRPC } from '../../trpc';
import type { WebhookEndpointDetail } from '../../types';
import { Button } from '../../ui/button';
import { DateTime } from '../../ui/date-time';
import { LinkButton } from '../../ui/link-button';
import { toast } from '../../ui/overlay/toaster';
import { Countdown } from '../countdown';
import { Notice } from '../notice';
import { useOwnersOnlyRefusalMessage } from '../owners-only';

/** The notices above an endpoint's page. */
export function EndpointNotices({ endpoint }: { endpoint: WebhookEndpointDetail }) {
  const t = useTranslations('webhooks');
  const trpc = useTRPC();
  const { refetch } = useQuery(
    trpc.webhook_endpoints.retrieve.queryOptions({ id: endpoint.id }, { refetchInterval: 5_000 }),
  );
  const failed = `${paths.webhook(endpoint.id)}?status=failed`;
  const rotating = endpoint.rotated_until !== null && Date.parse(endpoint.rotated_until) > Date.now();
  return (
    <>
      {endpoint.status === 'auto_disabled' ? <AutoDisabled endpoint={endpoint} failed={failed} /> : null}
      {endpoint.status === 'disabled' ? (
        <Notice tone="info" title={t('this_endpoint_is_disabled')}>
          {endpoint.waiting > 0 ? `${t('deliveries_wait', { count: endpoint.waiting })} ` : ''}
          {t('events_meanwhile')}
        </Notice>
      ) : null}
      {endpoint.status === 'enabled' && endpoint.consecutive_failures > 0 ? (
        <Notice
          tone="warning"
          title={t('the_last_attempts_failed', { count: endpoint.consecutive_failures })}
          actions={
            <LinkButton variant="secondary" size="sm" href={failed} scroll={false}>
              {t('show_what_failed')}
            </LinkButton>
          }
        >
          {t.rich('it_has_been_failing_since', { time: () => <DateTime value={endpoint.failing_since} /> })}
        </Notice>
      ) : null}
      {rotating ? (
        <Notice tone="info" title={t('the_secret_is_being_rotated')}>
          {t.rich('until_then_two_signatures', {
            time: () => <DateTime value={endpoint.rotated_until} />,
            countdown: () => (
              <Countdown until={endpoint.rotated_until ?? ''} over={t('ended')} onOver={() => void refetch()} />
            ),
          })}
        </Notice>
      ) : null}
    </>
  );
}

function AutoDisabled({ endpoint, failed }: { endpoint: WebhookEndpointDetail; failed: string }) {
  const t = useTranslations('webhooks');
  const ownersOnly = useOwnersOnlyRefusalMessage(t('re_enable_an_endpoint'));
  const trpc = useTRPC();
  const enable = useMutation(
    trpc.webhook_endpoints.enable.mutationOptions({
      onSuccess: () => toast.success(t('the_endpoint_is_enabled')),
    }),
  );
  return (
    <Notice
      tone="danger"
      title={t('disabled_because_it_kept_failing')}
      actions={
        <>
          <LinkButton variant="secondary" size="sm" href={failed} scroll={false}>
            {t('show_what_failed')}
          </LinkButton>
          <Button
            size="sm"
            disabledReason={ownersOnly}
            pending={enable.isPending}
            onClick={() => enable.mutate({ id: endpoint.id })}
          >
            {t('re_enable')}
          </Button>
        </>
      }
    >
      {endpoint.disabled_reason ? <p>{endpoint.disabled_reason}</p> : null}
      <p>
        {t.rich(endpoint.failing_since ? 'disabled_on_failing_since' : 'disabled_on', {
          time: () => <DateTime value={endpoint.disabled_at} />,
          since: () => <DateTime value={endpoint.failing_since} />,
        })}{' '}
        {t('mend_the_receiver', { count: endpoint.waiting })}
      </p>
    </Notice>
  );
}
