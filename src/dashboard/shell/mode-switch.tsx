'use client';
import { ToggleGroup } from 'radix-ui';
import type { Me } from '@/modules/accounts/schemas';
import { cn } from '../ui/cn';
import { switchMode } from './preferences';

const item =
  'flex-1 rounded-md px-3 py-1.5 font-medium text-ink-soft text-xs transition-colors hover:text-ink data-[state=on]:shadow-card';

/** Live or test. Two worlds of data: the choice loads the page anew. */
export function ModeSwitch({ mode }: { mode: Me['mode'] }) {
  return (
    <ToggleGroup.Root
      type="single"
      value={mode}
      aria-label="Mode"
      onValueChange={(value) => {
        if (value && value !== mode) switchMode(value as Me['mode']);
      }}
      className="flex gap-0.5 rounded-lg border bg-muted p-0.5"
    >
      <ToggleGroup.Item
        value="live"
        className={cn(
          item,
          'data-[state=on]:bg-surface data-[state=on]:text-ink data-[state=on]:ring-1 data-[state=on]:ring-line-strong',
        )}
      >
        Live
      </ToggleGroup.Item>
      <ToggleGroup.Item value="test" className={cn(item, 'data-[state=on]:bg-test data-[state=on]:text-on-test')}>
        Test
      </ToggleGroup.Item>
    </ToggleGroup.Root>
  );
}

/** The mark of test mode: on every page, whatever is scrolled. */
export function TestModeBar() {
  return (
    <aside
      aria-label="Test mode"
      className="sticky top-0 z-30 flex h-8 items-center justify-center gap-2 bg-test px-4 font-medium text-on-test text-xs"
    >
      <span className="rounded-sm bg-on-test px-1.5 py-px font-semibold text-xs text-test uppercase tracking-wider">
        Test mode
      </span>
      <span className="truncate">Nothing you do here reaches a guest.</span>
    </aside>
  );
}
