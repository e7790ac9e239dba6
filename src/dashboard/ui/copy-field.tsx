'use client';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { cn } from './cn';
import { toast } from './overlay/toaster';

/** The button that copies a text and confirms it. */
export function CopyButton({ value, label, className }: { value: string; label: string; className?: string }) {
  const t = useTranslations('ui');
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    } catch {
      toast.error(t('the_browser_did_not_allow_copying_select'));
    }
  };
  const Icon = copied ? Check : Copy;
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={copied ? t('copied') : t('copy_label', { label })}
      className={cn(
        'relative z-10 inline-grid size-7 shrink-0 place-items-center rounded-md text-ink-soft hover:bg-muted hover:text-ink',
        className,
      )}
    >
      <Icon className={cn('size-3.5', copied && 'text-success')} aria-hidden />
    </button>
  );
}

/** Shows a value in full, in a monospaced font, with a copy button. */
export function CopyField({ value, label }: { value: string; label: string }) {
  return (
    <div className="flex items-center gap-1 rounded-md border border-line-strong bg-muted/60 py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 select-all break-all font-mono text-xs leading-relaxed" title={label}>
        {value}
      </code>
      <CopyButton value={value} label={label} />
    </div>
  );
}

/** Shows an id within a text, with a copy button. */
export function CopyableId({ value, label = 'id' }: { value: string; label?: string }) {
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-0.5">
      <code className="min-w-0 truncate font-mono text-xs">{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  );
}
