'use client';
import { Check } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { useTranslations } from 'use-intl/react';
import { storeBrowserTimeZone } from '../reader';
import { Wordmark } from '../ui/logo';

const PROMISES = [
  'house_rules_and_fees_read_and_signed',
  'door_codes_and_wi_fi_held_back',
  'a_sealed_certificate_that_anyone_can_verify',
] as const;

/**
 * The layout of the pages before sign-in: the form, next to a sentence and a picture that explain
 * the product.
 */
export function AuthPageLayout({ children }: { children: ReactNode }) {
  const t = useTranslations('accounts');
  // The server needs the reader's time zone to render the next page completely.
  useEffect(storeBrowserTimeZone, []);
  return (
    <div className="grid min-h-dvh content-start lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)] lg:content-stretch">
      <div className="flex flex-col px-6 py-8 sm:px-12">
        <header>
          <Wordmark />
        </header>
        <main className="m-auto w-full max-w-sm py-8 lg:py-12">{children}</main>
      </div>
      <aside className="grid content-center justify-items-center border-t bg-tint px-6 py-8 sm:px-12 lg:border-t-0">
        <div className="grid w-full max-w-md gap-8">
          <p className="text-balance font-semibold text-2xl leading-tight tracking-tight lg:text-3xl">
            {t('nobody_crosses_the_threshold_before_they_know')}
          </p>
          <SigningPicture />
          <ul className="grid gap-2.5 text-sm">
            {PROMISES.map((promise) => (
              <li key={promise} className="flex gap-2.5">
                <Check className="mt-0.5 size-4 shrink-0 text-primary" aria-hidden />
                {t(promise)}
              </li>
            ))}
          </ul>
        </div>
      </aside>
    </div>
  );
}

const RULES = [70, 56, 74, 48];
const CODE = ['4', '7', '1', '1'];

/**
 * An illustration: house rules signed on a phone lead to an open door and a sealed certificate. The
 * adjacent text describes the same steps.
 */
function SigningPicture() {
  return (
    <svg viewBox="0 0 440 260" className="w-full" fill="none" strokeLinecap="round" aria-hidden="true">
      <g className="fill-surface stroke-line-strong">
        <rect x="20" y="5" width="136" height="250" rx="20" />
        <rect x="232" y="20" width="200" height="92" rx="16" />
        <rect x="232" y="148" width="200" height="92" rx="16" />
      </g>
      <g className="stroke-ink-soft" strokeWidth="2">
        <path d="M166 102c24 0 32-36 54-36m-9-8 9 8-9 8M166 158c24 0 32 36 54 36m-9-8 9 8-9 8" />
      </g>
      <g className="fill-line-strong">
        {RULES.map((width, index) => (
          <rect key={width} x="58" y={56 + 24 * index} width={width} height="7" rx="3.5" />
        ))}
        <rect x="250" y="190" width="96" height="7" rx="3.5" />
        <rect x="250" y="208" width="72" height="7" rx="3.5" />
      </g>
      <g className="fill-primary">
        <rect x="36" y="24" width="64" height="9" rx="4.5" />
        <rect x="36" y="208" width="104" height="28" rx="9" />
        <rect x="250" y="168" width="56" height="9" rx="4.5" />
        <rect x="252" y="58" width="38" height="32" rx="8" />
        <circle cx="396" cy="192" r="20" />
        <path d="m386 208-4 24 14-7 14 7-4-24z" />
        {RULES.map((width, index) => (
          <rect key={width} x="36" y={52 + 24 * index} width="15" height="15" rx="4.5" />
        ))}
      </g>
      <path d="M260 58v-9a11 11 0 0 1 21-4" className="stroke-primary" strokeWidth="5" />
      <g className="stroke-on-primary" strokeWidth="2.5" strokeLinejoin="round">
        {RULES.map((width, index) => (
          <path key={width} d={`m40 ${60 + 24 * index} 3 3 5-6`} />
        ))}
        <path d="m387 192 6 7 12-14M271 70v8M72 222h32" />
      </g>
      <rect x="36" y="154" width="104" height="42" rx="8" className="fill-muted" />
      <path
        d="M46 182c8-22 15-24 15-12s-9 17-6 6 18-18 16-6 10 2 13-6 6 14 13 4 9-2 18-3"
        className="stroke-ink"
        strokeWidth="2"
      />
      {CODE.map((digit, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the digits never change.
        <g key={index}>
          <rect x={306 + 29 * index} y="56" width="24" height="34" rx="6" className="fill-muted" />
          <text x={318 + 29 * index} y="79" textAnchor="middle" fontSize="17" fontWeight="600" className="fill-ink">
            {digit}
          </text>
        </g>
      ))}
    </svg>
  );
}
