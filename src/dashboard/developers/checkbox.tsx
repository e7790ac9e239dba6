'use client';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { cn } from '../ui/cn';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  hint?: ReactNode;
  type?: 'checkbox' | 'radio';
}

/** The browser's checkbox with a label and a hint. Clicking the label or the hint toggles it. */
export function Checkbox({ label, hint, type = 'checkbox', className, ...props }: CheckboxProps) {
  const id = useId();
  return (
    <div className={cn('flex items-start gap-2.5', className)}>
      <input
        {...props}
        id={id}
        type={type}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-1 size-4 shrink-0 accent-primary"
      />
      <div className="grid min-w-0">
        <label htmlFor={id} className="break-words py-0.5 text-sm">
          {label}
        </label>
        {hint ? (
          <p id={`${id}-hint`} className="text-ink-soft text-xs leading-relaxed">
            {hint}
          </p>
        ) : null}
      </div>
    </div>
  );
}
