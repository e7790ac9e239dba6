import { headers } from 'next/headers';
import { ChangeEmailPanel } from '@/dashboard/accounts/change-email-panel';
import { ExpiredConfirmationLinkNotice } from '@/dashboard/accounts/confirm-address-panel';
import { loadEmailChangeView } from '@/modules/accounts/email-change/email-change';
import { readSessionContext } from '@/modules/accounts/session';
import { createTitleMetadata } from '../../server-translations';

export const generateMetadata = createTitleMetadata('change_email');

export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { token } = await searchParams;
  const { signed_in } = await readSessionContext(await headers());
  const view = typeof token === 'string' ? await loadEmailChangeView(token, signed_in?.id ?? null) : null;
  if (!view || typeof token !== 'string') return <ExpiredConfirmationLinkNotice lead="lead_change_expired" />;
  return <ChangeEmailPanel token={token} view={view} />;
}
