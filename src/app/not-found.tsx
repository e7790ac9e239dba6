import type { Metadata } from 'next';
import { paths } from '@/dashboard/paths';
import { buttonStyles } from '@/dashboard/ui/button-styles';
import { Wordmark } from '@/dashboard/ui/logo';
import { loadServerTranslator } from './server-translations';

export const metadata: Metadata = { title: 'Not found' };

/**
 * The page for unknown URLs, outside of every layout. It is rendered on the server without scripts,
 * because Next sends this page's code with every other page.
 */
export default async function NotFound() {
  const t = await loadServerTranslator('ui');
  return (
    <main className="grid min-h-dvh place-items-center px-6 py-16">
      <div className="grid max-w-md justify-items-center gap-4 text-center">
        <Wordmark />
        <p className="mt-6 font-mono text-ink-soft text-sm">404</p>
        <h1 className="text-balance font-semibold text-2xl tracking-tight">{t('page_not_found')}</h1>
        <p className="text-balance text-ink-soft text-sm leading-relaxed">{t('page_not_found_detail')}</p>
        <a className={buttonStyles({ variant: 'secondary' })} href={paths.home}>
          {t('go_to_the_dashboard')}
        </a>
      </div>
    </main>
  );
}
