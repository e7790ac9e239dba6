import type { ReactNode } from 'react';
import { AuthFrame } from '@/dashboard/accounts/auth-frame';
import { ApiProvider } from '@/dashboard/trpc';
import { ServerMessagesProvider } from '../words';

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <ApiProvider mode="live">
      <ServerMessagesProvider of={['accounts']}>
        <AuthFrame>{children}</AuthFrame>
      </ServerMessagesProvider>
    </ApiProvider>
  );
}
