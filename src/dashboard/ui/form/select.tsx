'use client';
import { ChevronDown } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { cn } from '../cn';
import { notifyComponentLoadFailure } from '../lazy-component';
import { SELECT_TRIGGER_CLASS_NAMES, type SelectProps } from './select-props';

const load = () => import('./select-list').then((file) => file.SelectList);
const near = () => void load().catch(() => {});

/**
 * A select. Only a button is rendered until the user opens it. The list and its positioning code
 * load when the pointer or focus reaches the button.
 */
export function Select(props: SelectProps) {
  const [List, setList] = useState<ComponentType<SelectProps> | null>(null);
  if (List) return <List {...props} />;
  const { value, onValueChange: _, options, placeholder, className, ...trigger } = props;
  const open = () => void load().then((loaded) => setList(() => loaded), notifyComponentLoadFailure);
  const chosen = options.find((option) => option.value === value);
  return (
    <button
      type="button"
      role="combobox"
      aria-expanded={false}
      aria-autocomplete="none"
      data-placeholder={chosen ? undefined : ''}
      className={cn(SELECT_TRIGGER_CLASS_NAMES, className)}
      onPointerEnter={near}
      onFocus={near}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        event.preventDefault();
        open();
      }}
      {...trigger}
    >
      <span className="truncate">{chosen?.label ?? placeholder}</span>
      <ChevronDown className="size-4 shrink-0 text-ink-soft" aria-hidden />
    </button>
  );
}
