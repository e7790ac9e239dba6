import type { Metadata } from 'next';
import { NewPasswordForm, NoResetByMail, RequestResetForm } from '@/dashboard/accounts/reset-password-form';
import { mailIsSent } from '@/modules/mail/service';

export const metadata: Metadata = { title: 'Reset your password' };

export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { token } = await searchParams;
  if (typeof token === 'string') return <NewPasswordForm token={token} />;
  return mailIsSent() ? <RequestResetForm /> : <NoResetByMail />;
}
