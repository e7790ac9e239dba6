'use client';
import { ChevronDown } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { cn } from '../cn';
import { tellUnreachable } from '../unreachable';

export interface SelectOption {
  value: string;
  label: string;
}

export interface SelectProps {
  value: string;
  onValueChange: (value: string) => void;
  options: readonly SelectOption[];
  placeholder?: string;
  id?: string;
  disabled?: boolean;
  className?: string;
  'aria-label'?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

export const selectTrigger =
  'inline-flex h-9 w-full items-center justify-between gap-2 rounded-md border border-line-strong bg-surface px-3 text-sm shadow-card transition-colors hover:border-ink-soft disabled:opacity-60 data-[placeholder]:text-ink-soft';

const load = () => import('./select-list').then((file) => file.SelectList);
const near = () => void load().catch(() => {});

/** One of several. A button until it is opened for the first time: the list and what positions it are loaded when somebody comes near. */
export function Select(props: SelectProps) {
  const [List, setList] = useState<ComponentType<SelectProps> | null>(null);
  if (List) return <List {...props} />;
  const { value, onValueChange: _, options, placeholder, className, ...trigger } = props;
  const open = () => void load().then((loaded) => setList(() => loaded), tellUnreachable);
  const chosen = options.find((option) => option.value === value);
  return (
    <button
      type="button"
      role="combobox"
      aria-expanded={false}
      aria-autocomplete="none"
      data-placeholder={chosen ? undefined : ''}
      className={cn(selectTrigger, className)}
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
