'use client';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import type { Me } from '@/modules/accounts/schemas';
import { ApiClientProvider } from '../trpc';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { LoadFailureNotice, lazyComponent } from '../ui/lazy-component';
import { Wordmark } from '../ui/logo';
import { Drawer, useHasOverlayOpened } from '../ui/overlay/dialog';
import { Toaster } from '../ui/overlay/toast-frame';
import { BottomBar } from './bottom-bar';
import { MeProvider } from './me';
import { TestModeBar } from './mode-switch';
import { MissingMailProviderBar } from './no-mail-bar';
import { OfflineBar } from './offline-bar';
import { Sidebar } from './sidebar';
import { useShortcuts } from './use-shortcuts';
import { useTextTypedWhileLoading } from './use-typed-ahead';
import { VerifyEmailAddressBar } from './verify-address-bar';

const CommandPalette = lazyComponent(() => import('./command-palette').then((file) => file.CommandPalette));
const ShortcutsDialog = lazyComponent(() => import('./shortcuts-dialog').then((file) => file.ShortcutsDialog));

/** The layout of every dashboard page. */
export function AppShell({ me, theme, children }: { me: Me; theme: 'light' | 'dark' | 'system'; children: ReactNode }) {
  const t = useTranslations('shell');
  const [drawer, setDrawer] = useState(false);
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const shortcuts = useShortcuts({ onPalette: () => setPalette((open) => !open), onHelp: () => setHelp(true) });
  const [was_palette, was_help] = [useHasOverlayOpened(palette), useHasOverlayOpened(help)];
  const takeTyped = useTextTypedWhileLoading(palette);
  const test = me.mode === 'test';
  return (
    // When the user chooses another team or mode in another tab, the changed key remounts
    // everything inside.
    <ApiClientProvider key={`${me.team.id}/${me.mode}`} mode={me.mode} team_id={me.team.id}>
      <MeProvider me={me}>
        <a
          href="#main"
          className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-primary focus:px-3 focus:py-2 focus:text-on-primary focus:text-sm"
        >
          {t('skip_to_the_content')}
        </a>
        {test ? <TestModeBar /> : null}
        <div className="lg:grid lg:grid-cols-[15.5rem_minmax(0,1fr)] print:block">
          <aside
            aria-label={t('sidebar')}
            className={cn(
              'hidden overflow-y-auto border-r bg-surface lg:sticky lg:block print:hidden',
              test ? 'top-8 h-[calc(100dvh-2rem)]' : 'top-0 h-dvh',
            )}
          >
            <Sidebar me={me} onSearch={() => setPalette(true)} />
          </aside>
          <div className="min-w-0">
            <header
              className={cn(
                'sticky z-20 flex h-14 items-center gap-2 border-b bg-surface px-3 lg:hidden print:hidden',
                test ? 'top-8' : 'top-0',
              )}
            >
              <Button
                variant="ghost"
                size="icon"
                className="max-sm:hidden"
                aria-label={t('open_the_navigation')}
                onClick={() => setDrawer(true)}
              >
                <MenuIcon aria-hidden />
              </Button>
              <Wordmark />
              <Button
                variant="ghost"
                size="icon"
                className="ml-auto"
                aria-label={t('search_or_go_to_a_page')}
                onClick={() => setPalette(true)}
              >
                <Search aria-hidden />
              </Button>
            </header>
            <OfflineBar />
            {me.mail_is_sent || test ? null : <MissingMailProviderBar />}
            {me.user.email_verified || !me.mail_is_sent ? null : <VerifyEmailAddressBar email={me.user.email} />}
            <main
              id="main"
              tabIndex={-1}
              className="mx-auto max-w-6xl has-data-wide:max-w-none px-4 pt-6 pb-16 outline-none sm:px-8 sm:py-8"
            >
              {children}
            </main>
          </div>
        </div>
        <BottomBar onMore={() => setDrawer(true)} />
        <Drawer open={drawer} onOpenChange={setDrawer} title={t('navigation')}>
          <Sidebar
            me={me}
            onSearch={() => {
              setDrawer(false);
              setPalette(true);
            }}
            onNavigate={() => setDrawer(false)}
          />
        </Drawer>
        {was_palette ? (
          <CommandPalette
            me={me}
            open={palette}
            onOpenChange={setPalette}
            onShortcuts={() => setHelp(true)}
            takeTyped={takeTyped}
          />
        ) : null}
        {was_help ? (
          <ShortcutsDialog open={help} onOpenChange={setHelp} on={shortcuts.on} onSwitch={shortcuts.switch_to} />
        ) : null}
        <LoadFailureNotice />
        <Toaster theme={theme} />
      </MeProvider>
    </ApiClientProvider>
  );
}
