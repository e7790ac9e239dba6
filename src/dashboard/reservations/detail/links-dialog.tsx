'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { QrCode as QrIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { FormErrorMessage } from '../../properties/form-parts';
import { toDisplayableError } from '../../read-error';
import { useMe } from '../../shell/me';
import { useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { CopyField } from '../../ui/copy-field';
import { lazyComponent } from '../../ui/lazy-component';
import { Dialog } from '../../ui/overlay/dialog';
import { Skeleton } from '../../ui/skeleton';
import { OpenAsGuestButton } from './open-as-guest';

const QrCode = lazyComponent(
  () => import('./qr-code'),
  () => <Skeleton className="mx-auto size-48" />,
);

/**
 * Shows the guest's own links. They are loaded only on request, because anyone with the signing
 * link can sign.
 */
export function GuestLinksDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslations('reservation_detail');
  const { mode } = useMe();
  const trpc = useTRPC();
  const links = useQuery(trpc.reservations.copy_link.queryOptions({ id }, { staleTime: 0 }));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('the_guests_links')}
      description={t('give_them_to_this_guest_only_whoever')}
    >
      <div className="grid gap-5">
        <FormErrorMessage refused={links.error ? toDisplayableError(links.error) : null} />
        <div className="grid gap-1.5">
          <p className="font-medium text-sm">{t('signing_link')}</p>
          {links.isPending ? <Skeleton className="h-9" /> : null}
          {links.data?.signingUrl ? (
            <LinkWithCode url={links.data.signingUrl} label={t('signing_link_2')}>
              {mode === 'test' ? <OpenAsGuestButton id={id} variant="secondary" size="sm" /> : null}
            </LinkWithCode>
          ) : null}
          {links.data && !links.data.signingUrl ? <None>{t('there_is_none_the_reservation_is_not')}</None> : null}
        </div>
        <div className="grid gap-1.5">
          <p className="font-medium text-sm">{t('copy_of_what_was_signed')}</p>
          {links.isPending ? <Skeleton className="h-9" /> : null}
          {links.data?.copyUrl ? <CopyField value={links.data.copyUrl} label={t('copy_link')} /> : null}
          {links.data && !links.data.copyUrl ? <None>{t('it_comes_with_the_signature')}</None> : null}
        </div>
      </div>
    </Dialog>
  );
}

/**
 * Shows the link for a guest without an address. The guest enters an address on the linked page and
 * then receives the packet by mail.
 */
export function ShareLinkDialog({ id, guest, onClose }: { id: string; guest: string; onClose: () => void }) {
  const t = useTranslations('reservation_detail');
  const trpc = useTRPC();
  const share = useMutation(trpc.reservations.share_link.mutationOptions({ meta: { handlesError: true } }));
  const asked = useRef(false);
  const { mutate } = share;
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    mutate({ id });
  }, [id, mutate]);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('a_link_to_share')}
      description={t('send_it_to_guest_through_the_channels', { guest })}
    >
      {share.error ? <FormErrorMessage refused={toDisplayableError(share.error)} /> : null}
      {share.data ? <LinkWithCode url={share.data.url} label={t('share_link')} /> : null}
      {!share.data && !share.error ? <Skeleton className="h-9" /> : null}
    </Dialog>
  );
}

function LinkWithCode({ url, label, children }: { url: string; label: string; children?: ReactNode }) {
  const t = useTranslations('reservation_detail');
  const [open, setOpen] = useState(false);
  return (
    <div className="grid gap-3">
      <CopyField value={url} label={label} />
      <div className="flex flex-wrap gap-2">
        {children}
        <Button variant="secondary" size="sm" aria-expanded={open} onClick={() => setOpen(!open)}>
          <QrIcon aria-hidden />
          {open ? t('hide_the_qr_code') : t('show_as_a_qr_code')}
        </Button>
      </div>
      {open ? <QrCode value={url} label={t('qr_code_of_the_label', { label })} /> : null}
    </div>
  );
}

const None = ({ children }: { children: string }) => <p className="text-ink-soft text-sm">{children}</p>;
