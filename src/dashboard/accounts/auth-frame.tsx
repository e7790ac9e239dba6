'use client';
import { Check } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useTranslations } from 'use-intl/react';
import { keepZone } from '../reader';
import { Wordmark } from '../ui/logo';

const PROMISES = [
  'house_rules_and_fees_read_and_signed',
  'door_codes_and_wi_fi_held_back',
  'a_sealed_certificate_that_anyone_can_verify',
] as const;

/** The pages before the dashboard: the form on one side, what this is on the other. */
export function AuthFrame({ children }: { children: ReactNode }) {
  const t = useTranslations('accounts');
  // What comes next is then drawn whole on the server, and does not begin with empty places.
  useEffect(keepZone, []);
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)]">
      <div className="flex flex-col px-6 py-8 sm:px-12">
        <header>
          <Wordmark />
        </header>
        <main className="m-auto w-full max-w-sm py-12">{children}</main>
      </div>
      <aside className="relative hidden overflow-hidden bg-[oklch(0.3_0.05_176)] text-[oklch(0.96_0.012_160)] lg:block">
        <Doorway />
        <div className="absolute inset-x-0 bottom-0 grid gap-6 p-12">
          <p className="max-w-md text-balance font-semibold text-3xl leading-tight tracking-tight">
            {t('nobody_crosses_the_threshold_before_they_know')}
          </p>
          <ul className="grid gap-2.5 text-sm">
            {PROMISES.map((promise) => (
              <li key={promise} className="flex gap-2.5">
                <Check className="mt-0.5 size-4 shrink-0 opacity-80" aria-hidden />
                {t(promise)}
              </li>
            ))}
          </ul>
        </div>
      </aside>
    </div>
  );
}

/** An open door at dusk, drawn with the mark's own arch. */
function Doorway() {
  return (
    <svg
      viewBox="0 0 640 900"
      preserveAspectRatio="xMidYMin slice"
      className="absolute inset-0 h-full w-full"
      aria-hidden="true"
    >
      <defs>
        <linearGradient id="light" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="oklch(0.88 0.09 85)" />
          <stop offset="1" stopColor="oklch(0.78 0.11 70)" />
        </linearGradient>
        <linearGradient id="spill" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="oklch(0.82 0.1 78)" stopOpacity="0.5" />
          <stop offset="1" stopColor="oklch(0.82 0.1 78)" stopOpacity="0" />
        </linearGradient>
      </defs>
      <path d="M0 0h640v900H0z" fill="oklch(0.3 0.05 176)" />
      {[190, 158, 126].map((radius, index) => (
        <path
          key={radius}
          d={`M${320 - radius} 470V${290}a${radius} ${radius} 0 0 1 ${radius * 2} 0v180`}
          fill={index === 2 ? 'url(#light)' : 'none'}
          stroke="oklch(0.96 0.02 160)"
          strokeOpacity={0.14 + index * 0.08}
          strokeWidth="1.5"
        />
      ))}
      <path d="M194 470V290a126 126 0 0 1 58-106v250z" fill="oklch(0.36 0.06 176)" />
      <circle cx="240" cy="330" r="4" fill="oklch(0.85 0.09 80)" />
      <path d="M194 470h252l150 430H60z" fill="url(#spill)" />
      <path d="M90 470h460" stroke="oklch(0.96 0.02 160)" strokeOpacity="0.55" strokeWidth="2" />
    </svg>
  );
}
