'use client';
import './globals.css';
import { buttonStyles } from '@/dashboard/ui/button-styles';
import { Wordmark } from '@/dashboard/ui/logo';

/** The page that is shown when the root layout itself fails. */
export default function GlobalError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Something went wrong · Threshold</title>
        <main className="grid min-h-dvh place-items-center px-6">
          <div className="grid max-w-md justify-items-center gap-4 text-center">
            <Wordmark />
            <h1 className="mt-6 font-semibold text-2xl tracking-tight">Something went wrong on our side</h1>
            <p className="text-ink-soft text-sm leading-relaxed">
              The problem was logged{error.digest ? ` as ${error.digest}` : ''}. Try again. If it happens again, contact
              the operator of this installation{error.digest ? ' and give them this ID' : ''}.
            </p>
            {/* This file is part of every page, so it imports only the styles of Button and not the
                component. */}
            <button type="button" className={buttonStyles({ variant: 'secondary' })} onClick={reset}>
              Try again
            </button>
          </div>
        </main>
      </body>
    </html>
  );
}
