'use client';
import { useTranslations } from 'use-intl/react';
import type { Me } from '@/modules/accounts/schemas';
import { cn } from '../ui/cn';
import { switchLiveOrTestMode } from './preferences';

const item =
  'flex-1 rounded-md px-3 py-1.5 font-medium text-ink-soft text-xs transition-colors hover:text-ink aria-checked:shadow-card';
const MODES = [
  {
    mode: 'live',
    label: 'live',
    chosen: 'aria-checked:bg-surface aria-checked:text-ink aria-checked:ring-1 aria-checked:ring-line-strong',
  },
  { mode: 'test', label: 'test', chosen: 'aria-checked:bg-test aria-checked:text-on-test' },
] as const;

/**
 * Switches between live and test mode. An arrow key only moves the focus, because a switch reloads
 * the page.
 */
export function LiveOrTestModeSwitch({ mode: current }: { mode: Me['mode'] }) {
  const t = useTranslations('shell');
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row in every browser.
    <div role="group" aria-label={t('mode')} className="flex gap-0.5 rounded-lg border bg-muted p-0.5">
      {MODES.map(({ mode, label, chosen }) => (
        // biome-ignore lint/a11y/useSemanticElements: a radio input would select with the arrow keys.
        <button
          key={mode}
          type="button"
          role="radio"
          aria-checked={mode === current}
          className={cn(item, chosen)}
          onClick={() => mode !== current && switchLiveOrTestMode(mode)}
        >
          {t(label)}
        </button>
      ))}
    </div>
  );
}

/** The banner of test mode. It stays visible while scrolling. */
export function TestModeBar() {
  const t = useTranslations('shell');
  return (
    <aside
      aria-label={t('test_mode')}
      className="sticky top-0 z-30 flex h-8 items-center justify-center gap-2 bg-test px-4 font-medium text-on-test text-xs"
    >
      <span className="shrink-0 rounded-sm bg-on-test px-1.5 py-px font-semibold text-test text-xs uppercase tracking-wider">
        {t('test_mode')}
      </span>
      <span className="truncate">{t('nothing_you_do_here_reaches_a_guest')}</span>
    </aside>
  );
}
