'use client';
import { Check, ChevronDown } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { cn } from '../cn';
import type { SelectOption } from './select';

interface MultiSelectProps {
  label: string;
  /** What is said when nothing is chosen. */
  any: string;
  values: readonly string[];
  options: readonly SelectOption[];
  /** Several options under one name, above the others. */
  groups?: readonly { label: string; values: readonly string[] }[];
  onChange: (values: string[]) => void;
  className?: string;
}

const item =
  'flex cursor-default select-none items-center justify-between gap-4 rounded-md px-2.5 py-1.5 text-sm outline-none data-[highlighted]:bg-muted';

/** Any of several values. The list stays open while one chooses. */
export function MultiSelect({ label, any, values, options, groups = [], onChange, className }: MultiSelectProps) {
  const has = (all: readonly string[]) => all.every((value) => values.includes(value));
  const toggle = (some: readonly string[]) =>
    onChange(
      has(some)
        ? values.filter((value) => !some.includes(value))
        : [...values.filter((v) => !some.includes(v)), ...some],
    );
  const group = groups.find((each) => each.values.length === values.length && has(each.values));
  const chosen = options.filter(({ value }) => values.includes(value)).map((option) => option.label);
  const text = group?.label ?? (chosen.length > 2 ? `${chosen.length} chosen` : chosen.join(', ')) ?? '';
  const box = (name: string, some: readonly string[]) => (
    <Radix.CheckboxItem
      key={name}
      checked={has(some)}
      onCheckedChange={() => toggle(some)}
      onSelect={(event) => event.preventDefault()}
      className={item}
    >
      {name}
      <Radix.ItemIndicator>
        <Check className="size-4 text-primary" aria-hidden />
      </Radix.ItemIndicator>
    </Radix.CheckboxItem>
  );
  return (
    <Radix.Root>
      <Radix.Trigger
        aria-label={`${label}: ${text || any}`}
        className={cn(
          'inline-flex h-9 w-full items-center justify-between gap-2 rounded-md border border-line-strong bg-surface px-3 text-sm shadow-card transition-colors hover:border-ink-soft',
          className,
        )}
      >
        <span className="truncate">{text || any}</span>
        <ChevronDown className="size-4 shrink-0 text-ink-soft" aria-hidden />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align="start"
          sideOffset={4}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-(--radix-dropdown-menu-trigger-width) animate-enter overflow-y-auto rounded-lg border bg-raised p-1 shadow-overlay"
        >
          {groups.map((each) => box(each.label, each.values))}
          {groups.length > 0 ? <Radix.Separator className="-mx-1 my-1 h-px bg-line" /> : null}
          {options.map((option) => box(option.label, [option.value]))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
