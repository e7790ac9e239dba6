import type { ReactNode } from 'react';
import { Link } from '@/dashboard/ui/link';
import { Wordmark } from '@/dashboard/ui/logo';

const PAGES = [
  ['/docs', 'Start'],
  ['/docs/reference', 'Operations'],
  ['/docs/errors', 'Errors'],
  ['/docs/events', 'Events'],
] as const;

export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto grid max-w-4xl gap-8 px-5 py-8">
      <header className="flex flex-wrap items-center justify-between gap-4 border-line border-b pb-4">
        <Link href="/docs" aria-label="Threshold documentation">
          <Wordmark />
        </Link>
        <nav aria-label="Documentation" className="flex flex-wrap gap-1">
          {PAGES.map(([href, label]) => (
            <Link
              key={href}
              href={href}
              className="inline-flex min-h-11 items-center rounded-md px-3 text-ink-soft text-sm hover:bg-muted hover:text-ink"
            >
              {label}
            </Link>
          ))}
        </nav>
      </header>
      <main className="grid min-w-0 gap-8">{children}</main>
    </div>
  );
}
