import { headers } from 'next/headers';
import { ConfirmEmailAddressPanel, ExpiredConfirmationLinkNotice } from '@/dashboard/accounts/confirm-address-panel';
import { loadEmailConfirmationView } from '@/modules/accounts/confirmation/confirmation';
import { createTitleMetadata } from '../../server-translations';

export const generateMetadata = createTitleMetadata('confirm_address');

export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { token } = await searchParams;
  const view = typeof token === 'string' ? await loadEmailConfirmationView(token, await headers()) : null;
  return view && typeof token === 'string' ? (
    <ConfirmEmailAddressPanel token={token} view={view} />
  ) : (
    <ExpiredConfirmationLinkNotice />
  );
}
