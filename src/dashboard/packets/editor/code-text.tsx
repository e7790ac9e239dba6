'use client';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { Field } from '../../ui/form/field';
import { Textarea } from '../../ui/form/input';
import { ShortCodeMenu } from './short-code-menu';

interface CodeTextProps {
  label: string;
  /** Distinguishes the buttons of several fields: `Rule 2`. */
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

/**
 * A text field with short codes, which stand for text that differs between guests. The button
 * inserts one at the cursor.
 */
export function CodeText({ label, name, hint, error, optional, value, onChange, rows = 3, ...props }: CodeTextProps) {
  const t = useTranslations('packets');
  const area = useRef<HTMLTextAreaElement>(null);
  return (
    <div className="relative">
      <Field label={label} hint={hint} error={error} optional={optional}>
        {(control) => (
          <Textarea
            {...control}
            {...props}
            ref={area}
            rows={rows}
            className={rows < 3 ? 'min-h-9!' : undefined}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <div className="absolute -top-1.5 right-0">
        <ShortCodeMenu
          {...{ area, value, onChange }}
          into={name ?? label}
          size="sm"
          className="h-7 px-2 text-ink-soft text-xs"
          disabled={props.disabled}
        >
          {t('short_code')}
        </ShortCodeMenu>
      </div>
    </div>
  );
}
