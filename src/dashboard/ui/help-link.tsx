'use client';
import { useTranslations } from 'use-intl/react';
import { type HelpPageName, paths } from '../paths';

/** Links to the page of the documentation for hosts, in a new tab. */
export function HelpLink({ page }: { page: HelpPageName }) {
  const t = useTranslations('ui');
  return (
    <a
      href={paths.help(page)}
      target="_blank"
      hrefLang="en"
      className="inline-flex min-h-6 items-center whitespace-nowrap underline underline-offset-4 hover:text-ink"
      rel="noopener"
    >
      {t('help')}
    </a>
  );
}
