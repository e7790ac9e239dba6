import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { config } from '@/config';
import { SignInForm } from '@/dashboard/accounts/sign-in-form';
import { getSafeRedirectPath } from '@/dashboard/paths';
import { readSessionContext } from '@/modules/accounts/session';
import { createTitleMetadata } from '../../server-translations';

export const generateMetadata = createTitleMetadata('sign_in');

export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { next, email, verified, error } = await searchParams;
  const target = getSafeRedirectPath(typeof next === 'string' ? next : null);
  if ((await readSessionContext(await headers())).signed_in) redirect(target);
  const confirmed = verified === '1' && error === undefined;
  return (
    <SignInForm
      next={target}
      email={typeof email === 'string' ? email : undefined}
      confirmed={confirmed}
      company={config().oidc?.name}
      refused={typeof error === 'string' && verified === undefined ? error : undefined}
    />
  );
}
