import type { ReactNode } from 'react';
import { AuthFrame } from '@/dashboard/accounts/auth-frame';
import { ApiProvider } from '@/dashboard/trpc';
import { PageMessages } from '../words';

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <ApiProvider mode="live">
      <PageMessages of={['accounts']}>
        <AuthFrame>{children}</AuthFrame>
      </PageMessages>
    </ApiProvider>
  );
}
