'use client';
import { ChevronLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import type { HelpPageName } from '../paths';
import { HelpLink } from './help-link';
import { Link } from './link';
import { Skeleton } from './skeleton';

interface PageHeaderProps {
  /** Null while the title is loading. */
  title: ReactNode | null;
  description?: ReactNode;
  /** Shown next to the title, for example a status. */
  badge?: ReactNode;
  actions?: ReactNode;
  back?: { href: string; label: string };
  /** The linked page of the documentation for hosts. */
  help?: HelpPageName;
}

/**
 * The placeholder of the title. It contains a text, because a heading must not be empty for screen
 * readers.
 */
const LoadingTitle = () => {
  const t = useTranslations('ui');
  return (
    <>
      <Skeleton className="h-7 w-72 max-w-full" />
      <span className="sr-only">{t('loading')}</span>
    </>
  );
};

export function PageHeader({ title, description, badge, actions, back, help }: PageHeaderProps) {
  return (
    <header className="mb-6 grid gap-2">
      {back ? (
        <Link
          href={back.href}
          className="-ml-1 inline-flex min-h-6 w-fit items-center gap-1 text-ink-soft text-sm hover:text-ink"
        >
          <ChevronLeft className="size-4" aria-hidden />
          {back.label}
        </Link>
      ) : null}
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 gap-1 sm:flex-1 sm:basis-80">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="break-words font-semibold text-2xl tracking-tight">{title ?? <LoadingTitle />}</h1>
            {badge}
          </div>
          {description || help ? (
            <p className="max-w-2xl text-ink-soft text-sm leading-relaxed">
              {description} {help ? <HelpLink page={help} /> : null}
            </p>
          ) : null}
        </div>
        {actions ? (
          <div className="flex flex-wrap gap-2" data-page-actions>
            {actions}
          </div>
        ) : null}
      </div>
    </header>
  );
}
