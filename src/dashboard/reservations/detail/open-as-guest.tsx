'use client';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import type { ComponentProps } from 'react';
import { useTranslations } from 'use-intl/react';
import { useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { AnchorButton } from '../../ui/link-button';

/**
 * Opens the signing page of a test reservation in a new tab. In live mode only the guest may sign.
 */
export function OpenAsGuestButton({
  id,
  ...looks
}: { id: string } & Pick<ComponentProps<typeof AnchorButton>, 'size' | 'variant'>) {
  const t = useTranslations('reservation_detail');
  const trpc = useTRPC();
  const links = useQuery(trpc.reservations.copy_link.queryOptions({ id }, { staleTime: 0 }));
  const label = (
    <>
      <ExternalLink aria-hidden />
      {t('open_as_guest')}
    </>
  );
  const url = links.data?.signingUrl;
  if (!url) {
    return (
      <Button {...looks} disabled>
        {label}
      </Button>
    );
  }
  return (
    <AnchorButton {...looks} href={url} target="_blank" rel="noreferrer">
      {label}
    </AnchorButton>
  );
}
