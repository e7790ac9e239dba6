import type { Metadata } from 'next';
import { NewPasswordForm, RequestResetForm } from '@/dashboard/accounts/reset-password-form';

export const metadata: Metadata = { title: 'Reset your password' };

export default async function Page({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { token } = await searchParams;
  return typeof token === 'string' ? <NewPasswordForm token={token} /> : <RequestResetForm />;
}
