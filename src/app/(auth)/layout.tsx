import type { ReactNode } from 'react';
import { AuthPageLayout } from '@/dashboard/accounts/auth-frame';
import { ApiClientProvider } from '@/dashboard/trpc';
import { ServerTranslationsProvider } from '../server-translations';

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <ApiClientProvider mode="live">
      <ServerTranslationsProvider of={['accounts']}>
        <AuthPageLayout>{children}</AuthPageLayout>
      </ServerTranslationsProvider>
    </ApiClientProvider>
  );
}
