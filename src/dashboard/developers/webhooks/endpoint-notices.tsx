'use client';
import { paths } from '../../paths';
import { Button } from '../../ui/button';
import { DateTime } from '../../ui/date-time';
import { Link } from '../../ui/link';
import { toast } from '../../ui/overlay/toaster';
import { Countdown } from '../countdown';
import { Notice } from '../notice';
import { useOwnersOnly } from '../owners-only';
import { type Endpoint, useEnableEndpoint, useEndpoint } from './queries';

/** What needs to be known of an endpoint before anything else. */
export function EndpointNotices({ endpoint }: { endpoint: Endpoint }) {
  const { refetch } = useEndpoint(endpoint.id);
  const failed = `${paths.webhook(endpoint.id)}?status=failed`;
  const rotating = endpoint.rotated_until !== null && Date.parse(endpoint.rotated_until) > Date.now();
  return (
    <>
      {endpoint.status === 'auto_disabled' ? <AutoDisabled endpoint={endpoint} failed={failed} /> : null}
      {endpoint.status === 'disabled' ? (
        <Notice tone="info" title="This endpoint is disabled.">
          {endpoint.waiting > 0 ? `${endpoint.waiting} deliveries wait and go out once it is enabled. ` : ''}
          Events that occur meanwhile are recorded: send them again afterwards with “Redeliver failed”.
        </Notice>
      ) : null}
      {endpoint.status === 'enabled' && endpoint.consecutive_failures > 0 ? (
        <Notice
          tone="warning"
          title={`The last ${endpoint.consecutive_failures === 1 ? 'attempt' : `${endpoint.consecutive_failures} attempts`} failed.`}
          actions={
            <Button asChild variant="secondary" size="sm">
              <Link href={failed} scroll={false}>
                Show what failed
              </Link>
            </Button>
          }
        >
          It has been failing since <DateTime value={endpoint.failing_since} />. Every delivery is tried again for days;
          after nine failures of one, the endpoint is disabled.
        </Notice>
      ) : null}
      {rotating ? (
        <Notice tone="info" title="The signing secret is being rotated.">
          Until <DateTime value={endpoint.rotated_until} /> deliveries carry two signatures, by the old and the new
          secret: <Countdown until={endpoint.rotated_until ?? ''} over="ended" onOver={() => void refetch()} />. Then
          only the new one signs.
        </Notice>
      ) : null}
    </>
  );
}

function AutoDisabled({ endpoint, failed }: { endpoint: Endpoint; failed: string }) {
  const ownersOnly = useOwnersOnly('re-enable an endpoint');
  const enable = useEnableEndpoint(() => toast.success('The endpoint is enabled. What waited is being sent.'));
  return (
    <Notice
      tone="danger"
      title="This endpoint was disabled because its deliveries kept failing."
      actions={
        <>
          <Button asChild variant="secondary" size="sm">
            <Link href={failed} scroll={false}>
              Show what failed
            </Link>
          </Button>
          <Button
            size="sm"
            disabledReason={ownersOnly}
            pending={enable.isPending}
            onClick={() => enable.mutate({ id: endpoint.id })}
          >
            Re-enable
          </Button>
        </>
      }
    >
      {endpoint.disabled_reason ? <p>{endpoint.disabled_reason}</p> : null}
      <p>
        Disabled on <DateTime value={endpoint.disabled_at} />
        {endpoint.failing_since ? (
          <>
            , failing since <DateTime value={endpoint.failing_since} />
          </>
        ) : null}
        . Mend the receiver, then re-enable the endpoint:{' '}
        {endpoint.waiting > 0 ? `${endpoint.waiting} waiting deliveries go out at once` : 'what waits goes out at once'}
        , and “Redeliver failed” sends what it missed.
      </p>
    </Notice>
  );
}
