'use client';
import { useMemo, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl/react';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { CopyButton } from '../ui/copy-field';

/** Returns JSON text with indentation. Returns null when the text is not JSON. */
function indented(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}

/** Shows a request or response body. JSON is shown indented, but the exact bytes are copied. */
export function CodeBlock({ text, label, className }: { text: string; label: string; className?: string }) {
  const t = useTranslations('ui');
  // German nouns keep their capital within a sentence.
  const noun = useLocale() === 'de' ? label : label.toLowerCase();
  const pretty = useMemo(() => indented(text), [text]);
  const [raw, setRaw] = useState(false);
  return (
    <div className={cn('min-w-0 overflow-hidden rounded-lg border bg-muted/40', className)}>
      <div className="flex items-center justify-between gap-2 border-b px-3 py-1">
        <p className="font-medium text-ink-soft text-xs">{label}</p>
        <div className="flex items-center gap-1">
          {pretty && pretty !== text ? (
            <Button variant="ghost" size="sm" className="h-7! px-2! text-xs!" onClick={() => setRaw(!raw)}>
              {raw ? t('indented') : t('as_sent')}
            </Button>
          ) : null}
          <CopyButton value={text} label={noun} />
        </div>
      </div>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard.
        tabIndex={0}
        className="max-h-96 overflow-auto"
      >
        <pre
          className={cn('p-3 font-mono text-xs leading-relaxed', (raw || !pretty) && 'whitespace-pre-wrap break-all')}
        >
          {raw ? text : (pretty ?? text)}
        </pre>
      </section>
    </div>
  );
}
