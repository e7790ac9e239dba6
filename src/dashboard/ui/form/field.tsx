'use client';
import { Label as Radix } from 'radix-ui';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { useTranslations } from 'use-intl/react';
import { cn } from '../cn';

export const Label = ({ className, ...props }: ComponentProps<typeof Radix.Root>) => (
  <Radix.Root className={cn('font-medium text-ink text-sm', className)} {...props} />
);

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  optional?: boolean;
  className?: string;
  /** Renders the control with the ids of its label, hint and error. */
  children: (control: { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true }) => ReactNode;
}

/** A control with its label, an optional hint, and the error message if it is invalid. */
export function Field({ label, hint, error, optional, className, children }: FieldProps) {
  const t = useTranslations('ui');
  const id = useId();
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(' ');
  return (
    <div className={cn('grid gap-1.5', className)}>
      <Label htmlFor={id}>
        {label}
        {optional ? <span className="ml-1.5 font-normal text-ink-soft">{t('optional')}</span> : null}
      </Label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint ? (
        <p id={`${id}-hint`} className="text-ink-soft text-xs leading-relaxed">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="text-danger text-sm" role="alert">
          {error}
        </p>
      ) : null}
    </div>
  );
}
