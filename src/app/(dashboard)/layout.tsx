import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { paths } from '@/dashboard/paths';
import { AppShell } from '@/dashboard/shell/app-shell';
import { NOBODY } from '@/dashboard/shell/nobody';
import { isOwnRequest } from '@/infra/own-request';
import { sessionContext } from '@/modules/accounts/session';
import { THEME_COOKIE } from '@/modules/accounts/session-headers';

/** Lets in who is signed in and has a team. What a page then reads is checked again by every procedure. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const request = await headers();
  // To load its code, the server asks for a page before anybody does.
  if (isOwnRequest(request)) {
    return (
      <AppShell me={NOBODY} theme="system">
        {children}
      </AppShell>
    );
  }
  const { signed_in, me } = await sessionContext(request);
  if (!signed_in) {
    const here = request.get('x-threshold-path') ?? paths.home;
    redirect(here === paths.home ? paths.sign_in : `${paths.sign_in}?next=${encodeURIComponent(here)}`);
  }
  if (!me) redirect(paths.welcome);
  const theme = (await cookies()).get(THEME_COOKIE)?.value;
  return (
    <AppShell me={me} theme={theme === 'light' || theme === 'dark' ? theme : 'system'}>
      {children}
    </AppShell>
  );
}
