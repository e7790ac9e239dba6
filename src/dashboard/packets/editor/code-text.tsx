'use client';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl/react';
import { Field } from '../../ui/form/field';
import { Textarea } from '../../ui/form/input';
import { ShortCodeMenu } from './short-code-menu';

interface CodeTextProps {
  label: string;
  /** The field's name in the button's label, such as `Rule 2`. */
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
 * A text field that may contain short codes, which are replaced with each guest's own data. The
 * button inserts a code at the cursor.
 */
export function TextFieldWithShortCodes({
  label,
  name,
  hint,
  error,
  optional,
  value,
  onChange,
  rows = 3,
  ...props
}: CodeTextProps) {
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
