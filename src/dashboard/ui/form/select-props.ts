import type { Ref } from 'react';

/** The props and the button that select.tsx and select-list.tsx share. */
export interface SelectOption {
  value: string;
  label: string;
}

export interface SelectProps {
  /** A reference to the button. Forms focus the button. */
  ref?: Ref<HTMLButtonElement>;
  value: string;
  onValueChange: (value: string) => void;
  options: readonly SelectOption[];
  placeholder?: string;
  id?: string;
  disabled?: boolean;
  className?: string;
  'aria-label'?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

export const SELECT_TRIGGER_CLASS_NAMES =
  'min-w-0 inline-flex h-9 w-full items-center justify-between gap-2 rounded-md border border-line-strong bg-surface px-3 text-sm shadow-card transition-colors hover:border-ink-soft disabled:opacity-60 data-[placeholder]:text-ink-soft';
