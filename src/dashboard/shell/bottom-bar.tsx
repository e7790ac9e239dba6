'use client';
import { CalendarRange, Home, Menu, NotebookPen } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { cn } from '../ui/cn';
import { Link } from '../ui/link';
import { isPathInSection } from './nav';

const DESTINATIONS = [
  { href: paths.home, label: 'nav_home', icon: Home },
  { href: paths.reservations, label: 'nav_reservations', icon: NotebookPen },
  { href: paths.stay_calendar, label: 'nav_calendar', icon: CalendarRange },
] as const;

const item = 'grid min-w-0 flex-1 justify-items-center gap-0.5 px-1 pt-2 pb-1.5 text-xs';

/**
 * Links to the main sections, at the bottom of the screen on phones. The drawer has the other
 * sections.
 */
export function BottomBar({ onMore }: { onMore: () => void }) {
  const t = useTranslations('shell');
  const pathname = usePathname();
  return (
    <nav
      aria-label={t('main_destinations')}
      className="fixed inset-x-0 bottom-0 z-20 flex border-t bg-surface sm:hidden print:hidden"
    >
      {DESTINATIONS.map(({ href, label, icon: Icon }) => {
        const current = isPathInSection(pathname, href);
        return (
          <Link
            key={href}
            href={href}
            aria-current={current ? 'page' : undefined}
            className={cn(item, current ? 'font-medium text-primary' : 'text-ink-soft')}
          >
            <Icon className="size-5" aria-hidden />
            <span className="max-w-full truncate">{t(label)}</span>
          </Link>
        );
      })}
      <button type="button" className={cn(item, 'text-ink-soft')} aria-haspopup="dialog" onClick={onMore}>
        <Menu className="size-5" aria-hidden />
        <span className="max-w-full truncate">{t('more')}</span>
      </button>
    </nav>
  );
}
