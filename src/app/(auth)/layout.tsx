import type { ReactNode } from 'react';
import { AuthFrame } from '@/dashboard/accounts/auth-frame';
import { ApiProvider } from '@/dashboard/trpc';
import { Words } from '../words';

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <ApiProvider mode="live">
      <Words of={['accounts']}>
        <AuthFrame>{children}</AuthFrame>
      </Words>
    </ApiProvider>
  );
}
