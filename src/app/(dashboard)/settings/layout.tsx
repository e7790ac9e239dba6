import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { ServerTranslationsProvider } from '@/app/server-translations';
import { SettingsFrame } from '@/dashboard/settings/settings-frame';

export const metadata: Metadata = { title: 'Settings' };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <ServerTranslationsProvider of={['settings']}>
      <SettingsFrame>{children}</SettingsFrame>
    </ServerTranslationsProvider>
  );
}
