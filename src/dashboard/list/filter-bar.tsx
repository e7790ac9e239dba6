'use client';
import { SlidersHorizontal, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { Input } from '../ui/form/input';
import { Select } from '../ui/form/select';
import type { SelectOption } from '../ui/form/select-props';

const ANY = 'any';

interface FilterBarProps {
  /** The accessible name, such as `Filter requests`. */
  label: string;
  /** The number of filters that are set. */
  count: number;
  onClear: () => void;
  children: ReactNode;
}

/**
 * Filters in a row. On a phone they are collapsed, because otherwise they would push the list out
 * of view.
 */
export function FilterBar({ label, count, onClear, children }: FilterBarProps) {
  const t = useTranslations('ui');
  const id = useId();
  const [open, setOpen] = useState(false);
  return (
    <search aria-label={label} className="block border-b px-4 py-3">
      <Button
        variant="secondary"
        className="w-full sm:hidden"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <SlidersHorizontal aria-hidden />
        {t('filters')}
        {count > 0 ? <Badge tone="primary">{count}</Badge> : null}
      </Button>
      <div id={id} className={cn('flex-wrap items-end gap-3 sm:mt-0 sm:flex', open ? 'mt-3 flex' : 'hidden')}>
        {children}
        {count > 0 ? (
          <Button variant="ghost" onClick={onClear}>
            <X aria-hidden />
            {t('clear')}
          </Button>
        ) : null}
      </div>
    </search>
  );
}

interface FilterSelectProps {
  label: string;
  any: string;
  value: string | undefined;
  options: readonly SelectOption[];
  onChange: (value: string | undefined) => void;
  className?: string;
}

export function SelectFilter({ label, any, value, options, onChange, className }: FilterSelectProps) {
  // An unknown value from an old link is shown unchanged, not as "any".
  const known = !value || options.some((option) => option.value === value);
  return (
    // A long value is cut with an ellipsis, so that it does not cover the next filter.
    <div className={cn('grid w-full gap-1 sm:w-40', className)}>
      <span className="text-ink-soft text-xs" aria-hidden>
        {label}
      </span>
      <Select
        aria-label={label}
        value={value ?? ANY}
        onValueChange={(next) => onChange(next === ANY ? undefined : next)}
        options={[{ value: ANY, label: any }, ...options, ...(known || !value ? [] : [{ value, label: value }])]}
      />
    </div>
  );
}

interface FilterDateProps {
  label: string;
  /** A day, such as `2026-12-24`. */
  value: string | undefined;
  min?: string;
  max?: string;
  onChange: (value: string | undefined) => void;
}

export function DateFilter({ label, value, onChange, ...limits }: FilterDateProps) {
  const id = useId();
  return (
    <div className="grid w-full gap-1 sm:w-40">
      <label htmlFor={id} className="text-ink-soft text-xs">
        {label}
      </label>
      <Input
        id={id}
        type="date"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || undefined)}
        {...limits}
      />
    </div>
  );
}

interface FilterTextProps {
  label: string;
  placeholder?: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  className?: string;
}

/** A text filter. It takes effect when typing pauses, or on Enter. */
export function TextFilter({ label, placeholder, value, onChange, className }: FilterTextProps) {
  const id = useId();
  const [text, setText] = useState(value ?? '');
  const [seen, setSeen] = useState(value);
  // The URL changed, but not through this field, for example by the Back button. The field shows
  // the new value.
  if (seen !== value) {
    setSeen(value);
    if ((value ?? '') !== text.trim()) setText(value ?? '');
  }
  const wanted = text.trim() || undefined;
  useEffect(() => {
    if (wanted === value) return;
    const timer = setTimeout(() => onChange(wanted), 400);
    return () => clearTimeout(timer);
  }, [wanted, value, onChange]);
  return (
    <div className={cn('grid w-full gap-1 sm:w-48', className)}>
      <label htmlFor={id} className="text-ink-soft text-xs">
        {label}
      </label>
      <Input
        id={id}
        value={text}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onChange(wanted);
        }}
      />
    </div>
  );
}
