import {
  NewPasswordForm,
  PasswordResetUnavailableNotice,
  RequestPasswordResetForm,
} from '@/dashboard/accounts/reset-password-form';
import { isMailProviderConfigured } from '@/modules/mail/service';
import { createTitleMetadata } from '../../server-translations';

export const generateMetadata = createTitleMetadata('reset_your_password');

export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { token } = await searchParams;
  if (typeof token === 'string') return <NewPasswordForm token={token} />;
  return isMailProviderConfigured() ? <RequestPasswordResetForm /> : <PasswordResetUnavailableNotice />;
}
