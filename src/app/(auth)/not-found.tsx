import type { Metadata } from 'next';
import { paths } from '@/dashboard/paths';
import { buttonStyles } from '@/dashboard/ui/button-styles';
import { Link } from '@/dashboard/ui/link';

export const metadata: Metadata = { title: 'Not found' };

/** Within the frame of the pages before the dashboard: an invitation that was used, or whose link is not whole. */
export default function NotFound() {
  return (
    <div className="grid justify-items-start gap-4">
      <p className="font-mono text-ink-soft text-sm">404</p>
      <h1 className="text-balance font-semibold text-2xl tracking-tight">This door leads nowhere</h1>
      <p className="text-ink-soft text-sm leading-relaxed">
        The link was used, has ended, or is not whole. Ask whoever sent it for another.
      </p>
      <Link href={paths.sign_in} className={buttonStyles({ variant: 'secondary' })}>
        Sign in
      </Link>
    </div>
  );
}
