'use client';
import { Braces } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { SHORT_CODES } from '@/shared/guest-text/short-codes';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Textarea } from '../../ui/form/input';
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../ui/overlay/dropdown-menu';

interface CodeTextProps {
  label: string;
  /** What the button's name ends with when there are several: `Rule 2`. */
  name?: string;
  hint?: ReactNode;
  error?: string;
  optional?: boolean;
  value: string;
  onChange: (value: string) => void;
  maxLength: number;
  rows?: number;
  placeholder?: string;
  disabled?: boolean;
}

/** A text in which short codes stand for what differs from guest to guest; the button puts one where the cursor is. */
export function CodeText({ label, name, hint, error, optional, value, onChange, rows = 3, ...props }: CodeTextProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const insert = (code: string) => {
    const { selectionStart, selectionEnd } = area.current ?? {
      selectionStart: value.length,
      selectionEnd: value.length,
    };
    const text = `{{${code}}}`;
    onChange(value.slice(0, selectionStart) + text + value.slice(selectionEnd));
    // Once the menu has given the focus back and the new text is drawn.
    setTimeout(() => {
      area.current?.focus();
      area.current?.setSelectionRange(selectionStart + text.length, selectionStart + text.length);
    }, 50);
  };
  return (
    <div className="relative">
      <Field label={label} hint={hint} error={error} optional={optional}>
        {(control) => (
          <Textarea
            {...control}
            {...props}
            ref={area}
            rows={rows}
            className={rows < 3 ? 'min-h-9' : undefined}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <div className="absolute -top-1.5 right-0">
        <Menu>
          <MenuTrigger asChild>
            <Button
              variant="ghost"
              size="sm"
              className="h-7 px-2 text-ink-soft text-xs"
              disabled={props.disabled}
              aria-label={`Insert a short code into ${name ?? label}`}
            >
              <Braces aria-hidden />
              Short code
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
      </div>
    </div>
  );
}
