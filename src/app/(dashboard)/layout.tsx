import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { paths } from '@/dashboard/paths';
import { ViewerClockProvider } from '@/dashboard/reader';
import { ANONYMOUS_USER } from '@/dashboard/shell/anonymous-me';
import { AppShell } from '@/dashboard/shell/app-shell';
import { THEME_COOKIE } from '@/modules/accounts/session-headers';
import { clock } from '@/shared/clock';
import { getSessionOfPageRequest, getTimeZoneFromCookie } from '../session';

/** Admits signed-in users with a team. Every procedure checks access to the data again. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const session = await getSessionOfPageRequest();
  const rendered_at = clock().now().toISOString();
  // The server requests pages without a session at startup, to load their code.
  if (!session) {
    return (
      <ViewerClockProvider zone={null} rendered_at={rendered_at}>
        <AppShell me={ANONYMOUS_USER} theme="system">
          {children}
        </AppShell>
      </ViewerClockProvider>
    );
  }
  const { signed_in, me, refused } = session;
  if (!signed_in) {
    const here = (await headers()).get('x-threshold-path') ?? paths.home;
    redirect(here === paths.home ? paths.sign_in : `${paths.sign_in}?next=${encodeURIComponent(here)}`);
  }
  if (refused) redirect(paths.team_access);
  if (!me) redirect(paths.welcome);
  const theme = (await cookies()).get(THEME_COOKIE)?.value;
  return (
    <ViewerClockProvider zone={await getTimeZoneFromCookie()} rendered_at={rendered_at}>
      <AppShell me={me} theme={theme === 'light' || theme === 'dark' ? theme : 'system'}>
        {children}
      </AppShell>
    </ViewerClockProvider>
  );
}
