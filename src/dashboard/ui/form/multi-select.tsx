'use client';
import { Check, ChevronDown } from 'lucide-react';
import { DropdownMenu as Radix } from 'radix-ui';
import { useState } from 'react';
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
export function MultiSelect({
  label,
  any,
  values: given,
  options,
  groups = [],
  onChange,
  className,
}: MultiSelectProps) {
  // While it is open, what is chosen here counts: what it is kept in (an address) follows a moment later.
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const values = chosen ?? given;
  const has = (all: readonly string[]) => all.every((value) => values.includes(value));
  const toggle = (some: readonly string[]) => {
    const others = values.filter((value) => !some.includes(value));
    const next = has(some) ? others : [...others, ...some];
    setChosen(next);
    onChange(next);
  };
  const group = groups.find((each) => each.values.length === values.length && has(each.values));
  const named = options.filter(({ value }) => values.includes(value)).map((option) => option.label);
  const text = group?.label ?? (named.length > 2 ? `${named.length} chosen` : named.join(', ')) ?? '';
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
    <Radix.Root onOpenChange={(open) => setChosen(open ? given : null)}>
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
