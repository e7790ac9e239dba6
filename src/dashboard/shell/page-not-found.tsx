'use client';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { LinkButton } from '../ui/link-button';
import { Wordmark } from '../ui/logo';

/** Outside of every frame. */
export function PageNotFound() {
  const t = useTranslations('ui');
  return (
    <main className="grid min-h-dvh place-items-center px-6 py-16">
      <div className="grid max-w-md justify-items-center gap-4 text-center">
        <Wordmark />
        <p className="mt-6 font-mono text-ink-soft text-sm">404</p>
        <h1 className="text-balance font-semibold text-2xl tracking-tight">{t('page_not_found')}</h1>
        <p className="text-balance text-ink-soft text-sm leading-relaxed">{t('page_not_found_detail')}</p>
        <LinkButton href={paths.home} variant="secondary">
          {t('go_to_the_dashboard')}
        </LinkButton>
      </div>
    </main>
  );
}
