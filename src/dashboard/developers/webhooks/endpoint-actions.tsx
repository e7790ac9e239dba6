'use client';
import { useMutation } from '@tanstack/react-query';
import { MoreHorizontal, Send } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { paths } from '../../paths';
import { useTRPC } from '../../trpc';
import type { WebhookEndpointDetail } from '../../types';
import { Button } from '../../ui/button';
import { lazyComponent } from '../../ui/lazy-component';
import { ConfirmDialog } from '../../ui/overlay/confirm-dialog';
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../../ui/overlay/dropdown-menu';
import { toast } from '../../ui/overlay/toaster';
import { useManageIntegrationsRefusalReason } from '../owners-only';
import { SecretShownOnceDialog } from '../shown-once';

const EditEndpointDialog = lazyComponent(() => import('./endpoint-form').then((file) => file.EditEndpointDialog));
const TestEventDialog = lazyComponent(() => import('./test-event-dialog').then((file) => file.TestEventDialog));

/**
 * The actions of an endpoint. EndpointNotices has the button that re-enables an endpoint after
 * failures.
 */
export function EndpointActions({ endpoint }: { endpoint: WebhookEndpointDetail }) {
  const t = useTranslations('webhooks');
  const router = useRouter();
  const [open, setOpen] = useState<'test' | 'edit' | 'rotate' | 'disable' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const trpc = useTRPC();
  const update = useMutation(
    trpc.webhook_endpoints.update.mutationOptions({
      onSuccess: close,
    }),
  );
  const rotate = useMutation(trpc.webhook_endpoints.rotate.mutationOptions());
  const remove = useMutation(
    trpc.webhook_endpoints.delete.mutationOptions({
      onSuccess: () => {
        toast.success(t('the_endpoint_is_deleted'));
        router.push(paths.webhooks);
      },
    }),
  );
  const setStatus = (status: 'enabled' | 'disabled') => update.mutate({ id: endpoint.id, status });
  const ownersOnly = useManageIntegrationsRefusalReason();
  const cannotTest = endpoint.status === 'enabled' ? null : t('enable_it_first');
  return (
    <>
      <Button disabledReason={cannotTest} onClick={() => setOpen('test')}>
        <Send aria-hidden />
        {t('send_a_test_event')}
      </Button>
      <Button variant="secondary" disabledReason={ownersOnly} onClick={() => setOpen('edit')}>
        {t('edit')}
      </Button>
      {endpoint.status === 'disabled' ? (
        <Button
          variant="secondary"
          disabledReason={ownersOnly}
          pending={update.isPending}
          onClick={() => setStatus('enabled')}
        >
          {t('enable')}
        </Button>
      ) : null}
      <Menu>
        <MenuTrigger asChild>
          <Button variant="secondary" size="icon" aria-label={t('more_actions')} disabledReason={ownersOnly}>
            <MoreHorizontal aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent align="end">
          <MenuItem onSelect={() => setOpen('rotate')}>{t('rotate_the_signing_secret')}</MenuItem>
          {endpoint.status === 'enabled' ? (
            <MenuItem onSelect={() => setOpen('disable')}>{t('disable')}</MenuItem>
          ) : null}
          <MenuSeparator />
          <MenuItem danger onSelect={() => setOpen('delete')}>
            {t('delete')}
          </MenuItem>
        </MenuContent>
      </Menu>

      {open === 'test' ? <TestEventDialog endpoint={endpoint} onClose={close} /> : null}
      {open === 'edit' ? <EditEndpointDialog endpoint={endpoint} onClose={close} /> : null}
      <ConfirmDialog
        open={open === 'rotate' && !rotate.data}
        onOpenChange={close}
        title={t('ask_rotate')}
        confirmLabel={t('make_the_new_secret')}
        pending={rotate.isPending}
        onConfirm={() => rotate.mutate({ id: endpoint.id }, { onError: close })}
      >
        {t('rotating_means')}
      </ConfirmDialog>
      {rotate.data ? (
        <SecretShownOnceDialog
          title={t('the_new_secret_is_ready')}
          label={t('signing_secret_noun')}
          secret={rotate.data.signing_secret}
          onClose={() => {
            rotate.reset();
            close();
          }}
        />
      ) : null}
      <ConfirmDialog
        open={open === 'disable'}
        onOpenChange={close}
        title={t('ask_disable')}
        confirmLabel={t('disable')}
        pending={update.isPending}
        onConfirm={() => setStatus('disabled')}
      >
        {t('disabling_means')}
      </ConfirmDialog>
      <ConfirmDialog
        open={open === 'delete'}
        onOpenChange={close}
        danger
        title={t('ask_delete')}
        confirmLabel={t('delete_the_endpoint')}
        pending={remove.isPending || remove.isSuccess}
        onConfirm={() => remove.mutate({ id: endpoint.id })}
      >
        {t('deleting_means')}
      </ConfirmDialog>
    </>
  );
}
