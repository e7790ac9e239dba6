'use client';
import { Search } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'use-intl/react';
import type { Me } from '@/modules/accounts/schemas';
import { paths } from '../paths';
import { cn } from '../ui/cn';
import { Link } from '../ui/link';
import { Wordmark } from '../ui/logo';
import { LiveOrTestModeSwitch } from './mode-switch';
import { getNavGroups, isPathInSection } from './nav';
import { UserMenu } from './user-menu';

interface SidebarProps {
  me: Me;
  onSearch: () => void;
  /** Closes the drawer on a phone. */
  onNavigate?: () => void;
}

export function Sidebar({ me, onSearch, onNavigate }: SidebarProps) {
  const t = useTranslations('shell');
  const pathname = usePathname();
  return (
    <div className="flex h-full flex-col gap-4 p-4">
      <Link
        href={paths.home}
        className="w-fit rounded-md px-1 py-1"
        onClick={onNavigate}
        aria-label={t('threshold_home')}
      >
        <Wordmark />
      </Link>
      <LiveOrTestModeSwitch mode={me.mode} />
      <button
        type="button"
        onClick={onSearch}
        className="flex h-8 shrink-0 items-center gap-2 rounded-md border bg-surface px-2.5 text-ink-soft text-xs hover:border-line-strong"
      >
        <Search className="size-3.5" aria-hidden />
        {t('search_or_go_to')}
        <kbd className="ml-auto font-sans">Ctrl K</kbd>
      </button>
      {/* On a low screen, the sections scroll and the account menu stays in view. */}
      <nav
        aria-label={t('main')}
        className="-mx-2 -my-1 grid min-h-0 flex-1 content-start gap-5 overflow-y-auto px-2 py-1"
      >
        {getNavGroups(me).map((group) => (
          <div key={group.label ?? 'main'} className="grid gap-0.5">
            {group.label ? <p className="px-2.5 pb-1 text-ink-soft text-xs">{t(group.label)}</p> : null}
            {group.items.map((item) => {
              const current = isPathInSection(pathname, item.href);
              return (
                <Link
                  key={item.href}
                  href={item.href}
                  onClick={onNavigate}
                  aria-current={current ? 'page' : undefined}
                  className={cn(
                    'flex items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm transition-colors',
                    current ? 'bg-tint font-medium text-primary' : 'text-ink hover:bg-muted',
                  )}
                >
                  <item.icon className={cn('size-4', !current && 'text-ink-soft')} aria-hidden />
                  {t(item.label)}
                </Link>
              );
            })}
          </div>
        ))}
      </nav>
      <div className="shrink-0">
        <UserMenu me={me} />
      </div>
    </div>
  );
}
