'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { WEBHOOK_PORTAL_LINK_LIFETIMES_DAYS } from '@/modules/webhooks/portal/link-lifetimes.rules';
import { useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { Card, CardBody, CardHeader } from '../../ui/card';
import { CopyField } from '../../ui/copy-field';
import { DateTime } from '../../ui/date-time';
import { Field } from '../../ui/form/field';
import { NativeSelect } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';
import { useOwnersOnlyRefusalMessage } from '../owners-only';

function usePortal(id: string) {
  const trpc = useTRPC();
  return {
    state: useQuery(trpc.webhook_endpoints.portal.queryOptions({ id })),
    share: useMutation(trpc.webhook_endpoints.share_portal.mutationOptions()),
    withdraw: useMutation(trpc.webhook_endpoints.withdraw_portal.mutationOptions()),
  };
}

/**
 * Creates a link with which the developer of the receiving system can open the endpoint's
 * deliveries.
 */
export function SharedDeliveriesLinkCard({ id }: { id: string }) {
  const t = useTranslations('webhooks');
  const { state, share, withdraw } = usePortal(id);
  const [sharing, setSharing] = useState(false);
  const ownersOnly = useOwnersOnlyRefusalMessage(t('share_deliveries'));
  const expires_at = state.data?.expires_at ?? null;
  return (
    <Card>
      <CardHeader
        title={t('share_with_the_developer')}
        description={t('a_page_of_these_deliveries')}
        actions={
          <div className="flex flex-wrap gap-2">
            {expires_at ? (
              <Button
                variant="secondary"
                size="sm"
                disabledReason={ownersOnly}
                pending={withdraw.isPending}
                onClick={() => withdraw.mutate({ id })}
              >
                {t('withdraw_the_link')}
              </Button>
            ) : null}
            <Button variant="secondary" size="sm" disabledReason={ownersOnly} onClick={() => setSharing(true)}>
              {expires_at ? t('make_a_new_link') : t('make_a_link')}
            </Button>
          </div>
        }
      />
      <CardBody className="text-sm">
        {expires_at ? (
          <p>{t.rich('a_link_works_until', { time: () => <DateTime value={expires_at} /> })}</p>
        ) : (
          <p className="text-ink-soft">{t('there_is_no_link')}</p>
        )}
      </CardBody>
      {sharing ? (
        <ShareDialog
          id={id}
          share={share}
          onClose={() => {
            share.reset();
            setSharing(false);
          }}
        />
      ) : null}
    </Card>
  );
}

interface ShareDialogProps {
  id: string;
  share: ReturnType<typeof usePortal>['share'];
  onClose: () => void;
}

function ShareDialog({ id, share, onClose }: ShareDialogProps) {
  const t = useTranslations('webhooks');
  const [days, setDays] = useState<(typeof WEBHOOK_PORTAL_LINK_LIFETIMES_DAYS)[number]>(7);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={share.data ? t('the_link_is_ready') : t('share_these_deliveries')}
      description={share.data ? t('give_it_to_nobody_else') : t('whoever_has_the_link')}
      dismissLabel={share.data ? t('done') : t('not_now')}
      footer={
        share.data ? null : (
          <Button pending={share.isPending} onClick={() => share.mutate({ id, days })}>
            {t('make_the_link')}
          </Button>
        )
      }
    >
      {share.data ? (
        <CopyField value={share.data.url} label={t('link')} />
      ) : (
        <Field label={t('it_works_for')}>
          {(control) => (
            <NativeSelect
              {...control}
              value={days}
              onChange={(event) =>
                setDays(WEBHOOK_PORTAL_LINK_LIFETIMES_DAYS.find((one) => String(one) === event.target.value) ?? 7)
              }
            >
              {WEBHOOK_PORTAL_LINK_LIFETIMES_DAYS.map((one) => (
                <option key={one} value={one}>
                  {t('days', { count: one })}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
      )}
    </Dialog>
  );
}
