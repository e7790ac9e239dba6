'use client';
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react';
import { cn } from '../../../ui/cn';
import { Textarea } from '../../../ui/form/input';
import { ShortCodeMenu } from '../short-code-menu';

interface RowTextProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  onPaste?: (event: ClipboardEvent<HTMLTextAreaElement>) => void;
  maxLength: number;
  error?: string;
  placeholder?: string;
  disabled: boolean;
  /** Whether the row has the focus. The button for short codes is shown only then. */
  active: boolean;
}

/** The text field of a row. It grows with its text. */
export function PacketItemRowTextArea({ label, value, onChange, error, active, disabled, ...props }: RowTextProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    <div className="relative min-w-0 flex-1">
      <Textarea
        {...props}
        ref={area}
        rows={1}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        data-row-text
        className={cn('min-h-9! resize-none py-1.5! [field-sizing:content]', active && !disabled && 'pr-9')}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
      />
      {active && !disabled ? (
        <ShortCodeMenu
          {...{ area, value, onChange }}
          into={label}
          size="icon"
          className="absolute top-0.5 right-0.5 size-8 text-ink-soft"
        />
      ) : null}
      {error ? (
        <p role="alert" className="mt-1 text-danger text-sm">
          {error}
        </p>
      ) : null}
    </div>
  );
}
