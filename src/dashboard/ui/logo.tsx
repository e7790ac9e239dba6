import { cn } from './cn';

/** The logo's symbol: an open doorway with its threshold. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={cn('size-7', className)} aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--primary)" />
      <path
        d="M10 24V13.5a6 6 0 0 1 12 0V24"
        fill="none"
        stroke="var(--on-primary)"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
      <path d="M13.4 24V14.2c0-1.6 1-2.9 2.6-3.2V24z" fill="var(--on-primary)" opacity=".55" />
      <path d="M6.5 24h19" stroke="var(--on-primary)" strokeWidth="2.2" strokeLinecap="round" />
    </svg>
  );
}

export function Wordmark({ className }: { className?: string }) {
  return (
    <span className={cn('inline-flex items-center gap-2.5', className)}>
      <LogoMark />
      <span className="font-semibold text-base tracking-[-0.02em]">Threshold</span>
    </span>
  );
}
