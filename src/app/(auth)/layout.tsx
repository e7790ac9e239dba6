import type { ReactNode } from 'react';
import { AuthFrame } from '@/dashboard/accounts/auth-frame';
import { ApiProvider } from '@/dashboard/trpc';
import { ServerTranslationsProvider } from '../server-translations';

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <ApiProvider mode="live">
      <ServerTranslationsProvider of={['accounts']}>
        <AuthFrame>{children}</AuthFrame>
      </ServerTranslationsProvider>
    </ApiProvider>
  );
}
