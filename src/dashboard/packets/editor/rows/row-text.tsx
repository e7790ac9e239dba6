'use client';
import { Braces } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useRef } from 'react';
import { SHORT_CODES } from '@/shared/guest-text/short-codes';
import { Button } from '../../../ui/button';
import { cn } from '../../../ui/cn';
import { Textarea } from '../../../ui/form/input';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../../ui/overlay/dropdown-menu';

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
  /** The row that is being written: only there can a short code be inserted. */
  active: boolean;
}

/** The text of a row, as tall as it needs: one line where one is enough. */
export function RowText({ label, value, onChange, error, active, disabled, ...props }: RowTextProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const insert = (code: string) => {
    const { selectionStart = value.length, selectionEnd = value.length } = area.current ?? {};
    const text = `{{${code}}}`;
    onChange(value.slice(0, selectionStart) + text + value.slice(selectionEnd));
    // Once the menu has given the focus back and the new text is drawn.
    setTimeout(() => {
      area.current?.focus();
      area.current?.setSelectionRange(selectionStart + text.length, selectionStart + text.length);
    }, 50);
  };
  return (
    <div className="relative min-w-0 flex-1">
      <Textarea
        {...props}
        ref={area}
        rows={1}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        data-row-text
        className={cn('min-h-9 resize-none py-1.5 [field-sizing:content]', active && !disabled && 'pr-9')}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
      />
      {active && !disabled ? (
        <Menu>
          <MenuTrigger asChild>
            <Button
              variant="ghost"
              size="icon"
              className="absolute top-0.5 right-0.5 size-8 text-ink-soft"
              aria-label={`Insert a short code into ${label}`}
            >
              <Braces aria-hidden />
            </Button>
          </MenuTrigger>
          <MenuContent align="end" onCloseAutoFocus={(event) => event.preventDefault()}>
            {Object.entries(SHORT_CODES).map(([code, { description, example }]) => (
              <MenuItem key={code} onSelect={() => insert(code)}>
                <span className="grid">
                  <span>{description}</span>
                  <span className="text-ink-soft text-xs">
                    <code className="font-mono">{`{{${code}}}`}</code> · {example}
                  </span>
                </span>
              </MenuItem>
            ))}
          </MenuContent>
        </Menu>
      ) : null}
      {error ? (
        <p role="alert" className="mt-1 text-danger text-sm">
          {error}
        </p>
      ) : null}
    </div>
  );
}
