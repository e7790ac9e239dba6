import type { Metadata } from 'next';
import { paths } from '@/dashboard/paths';
import { buttonStyles } from '@/dashboard/ui/button-styles';
import { Link } from '@/dashboard/ui/link';
import { Wordmark } from '@/dashboard/ui/logo';

export const metadata: Metadata = { title: 'Not found' };

export default function NotFound() {
  return (
    <main className="grid min-h-dvh place-items-center px-6 py-16">
      <div className="grid max-w-md justify-items-center gap-4 text-center">
        <Wordmark />
        <p className="mt-6 font-mono text-ink-soft text-sm">404</p>
        <h1 className="text-balance font-semibold text-2xl tracking-tight">This door leads nowhere</h1>
        <p className="text-balance text-ink-soft text-sm leading-relaxed">
          The page does not exist, or it belongs to another team or to the other mode. Check the address, or switch
          between live and test.
        </p>
        <Link href={paths.home} className={buttonStyles({ variant: 'secondary' })}>
          Go to the dashboard
        </Link>
      </div>
    </main>
  );
}
