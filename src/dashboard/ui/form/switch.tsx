'use client';
import { Switch as Radix } from 'radix-ui';
import type { ComponentProps } from 'react';
import { cn } from '../cn';

export const Switch = ({ className, ...props }: ComponentProps<typeof Radix.Root>) => (
  <Radix.Root
    className={cn(
      'inline-flex h-6 w-10 shrink-0 items-center rounded-full border border-line-strong bg-muted p-px transition-colors disabled:opacity-50 data-[state=checked]:border-primary data-[state=checked]:bg-primary',
      className,
    )}
    {...props}
  >
    <Radix.Thumb className="block size-5 rounded-full bg-ink-soft shadow-card transition-transform data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-primary" />
  </Radix.Root>
);
