'use client';
import type { ComponentProps } from 'react';
import { cn } from '../cn';

interface SwitchProps extends ComponentProps<'button'> {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
}

export const Switch = ({ className, checked, onCheckedChange, ...props }: SwitchProps) => (
  <button
    type="button"
    role="switch"
    aria-checked={checked}
    onClick={() => onCheckedChange(!checked)}
    className={cn(
      'inline-flex h-6 w-10 shrink-0 items-center rounded-full border p-px transition-colors disabled:opacity-50',
      checked ? 'border-primary bg-primary' : 'border-line-strong bg-muted',
      className,
    )}
    {...props}
  >
    <span
      className={cn(
        'block size-5 rounded-full shadow-card transition-transform',
        checked ? 'translate-x-4 bg-on-primary' : 'bg-ink-soft',
      )}
    />
  </button>
);
