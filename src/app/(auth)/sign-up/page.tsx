import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { config } from '@/config';
import { SignUpForm } from '@/dashboard/accounts/sign-up-form';
import { getSafeRedirectPath, paths } from '@/dashboard/paths';
import { readSessionContext } from '@/modules/accounts/session';
import { createTitleMetadata } from '../../server-translations';

export const generateMetadata = createTitleMetadata('create_an_account');

export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { next, email } = await searchParams;
  const target = typeof next === 'string' ? getSafeRedirectPath(next) : paths.welcome;
  if ((await readSessionContext(await headers())).signed_in) redirect(target);
  return (
    <SignUpForm next={target} email={typeof email === 'string' ? email : undefined} company={config().oidc?.name} />
  );
}
