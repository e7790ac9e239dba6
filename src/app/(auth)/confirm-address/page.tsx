import { headers } from 'next/headers';
import { ConfirmAddressPanel, ExpiredLinkNotice } from '@/dashboard/accounts/confirm-address-panel';
import { viewConfirmation } from '@/modules/accounts/confirmation/confirmation';
import { createTitleMetadata } from '../../words';

export const generateMetadata = createTitleMetadata('confirm_address');

export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { token } = await searchParams;
  const view = typeof token === 'string' ? await viewConfirmation(token, await headers()) : null;
  return view && typeof token === 'string' ? <ConfirmAddressPanel token={token} view={view} /> : <ExpiredLinkNotice />;
}
