import { GeistMono } from 'geist/font/mono';
import { GeistSans } from 'geist/font/sans';
import type { Metadata, Viewport } from 'next';
import { cookies, headers } from 'next/headers';
import type { ReactNode } from 'react';
import { SHARED_MESSAGE_NAMESPACES } from '@/dashboard/i18n/namespaces';
import { TABLE_DENSITY_COOKIE, THEME_COOKIE } from '@/modules/accounts/session-headers';
import { HOST_LANGUAGES } from '@/shared/language/host-language';
import './globals.css';
import { ServerTranslationsProvider } from './server-translations';
import { getPageLocale } from './session';

export const metadata: Metadata = {
  title: { default: 'Threshold', template: '%s · Threshold' },
  description: 'House rules signed before arrival, and arrival details released after.',
  robots: { index: false },
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#faf9f6' },
    { media: '(prefers-color-scheme: dark)', color: '#0e1614' },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Calling `headers` makes every page dynamic. The script nonce requires this (src/proxy.ts).
  await headers();
  const kept = await cookies();
  const theme = kept.get(THEME_COOKIE)?.value;
  const density = kept.get(TABLE_DENSITY_COOKIE)?.value === 'compact' ? 'compact' : undefined;
  const locale = await getPageLocale();
  const scheme = theme === 'light' || theme === 'dark' ? theme : '';
  return (
    <html
      lang={HOST_LANGUAGES[locale].formats}
      data-density={density}
      className={`${GeistSans.variable} ${GeistMono.variable} ${scheme}`}
    >
      <body className="min-h-dvh">
        <ServerTranslationsProvider of={SHARED_MESSAGE_NAMESPACES}>{children}</ServerTranslationsProvider>
      </body>
    </html>
  );
}
