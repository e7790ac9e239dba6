import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { SettingsFrame } from '@/dashboard/settings/settings-frame';

export const metadata: Metadata = { title: 'Settings' };

export default function Layout({ children }: { children: ReactNode }) {
  return <SettingsFrame>{children}</SettingsFrame>;
}
