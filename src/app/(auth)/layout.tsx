import type { ReactNode } from 'react';
import { AuthFrame } from '@/dashboard/accounts/auth-frame';
import { ApiProvider } from '@/dashboard/trpc';

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <ApiProvider mode="live">
      <AuthFrame>{children}</AuthFrame>
    </ApiProvider>
  );
}
