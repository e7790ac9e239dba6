import type { ComponentProps } from 'react';
import { cn } from '../cn';

const styles =
  'w-full rounded-md border border-line-strong bg-surface px-3 text-sm text-ink shadow-card transition-colors hover:border-ink-soft disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-danger';

export const Input = ({ className, ...props }: ComponentProps<'input'>) => (
  <input className={cn(styles, 'h-9', className)} {...props} />
);

export const Textarea = ({ className, ...props }: ComponentProps<'textarea'>) => (
  <textarea className={cn(styles, 'min-h-20 py-2 leading-relaxed', className)} {...props} />
);

/** The browser's own select, for phones and for long lists. */
export const NativeSelect = ({ className, ...props }: ComponentProps<'select'>) => (
  <select className={cn(styles, 'h-9 pr-8', className)} {...props} />
);
